// Before anything is painted: the theme that the reader chose last, if any.
try {
    const chosen = localStorage.getItem("theme");
    if (chosen) document.documentElement.dataset.theme = chosen;
} catch (refused) { /* a browser may refuse to remember anything on file:// */ }
