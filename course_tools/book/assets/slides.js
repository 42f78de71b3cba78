// Slides: arrows turn them, s opens the speaker's notes, f fills the screen, ? lists the keys.
"use strict";
Reveal.initialize({
    width: 1280, height: 720, margin: 0.03, hash: true, center: false, slideNumber: "c/t",
    transition: "none", plugins: [RevealNotes], pdfSeparateFragments: false,
});
// A formula that is wider than its slide gets smaller letters, so that its end and its number are seen.
function fitFormulas() {
    for (const box of Reveal.getCurrentSlide().querySelectorAll(".display")) {
        const wider = box.scrollWidth / box.clientWidth, now = parseFloat(box.style.fontSize || 100);
        if (wider > 1) box.style.fontSize = Math.max(60, Math.floor(now / wider)) + "%";
    }
}
for (const moment of ["ready", "slidechanged"]) {
    Reveal.on(moment, () => { fitFormulas(); document.fonts.ready.then(fitFormulas); });
}
