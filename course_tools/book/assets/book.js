// What a page does: theme, menu, copying, search, interactive parts. No library, no request.
"use strict";

const page = document.documentElement;
const byId = (name) => document.getElementById(name);

// ---- theme ----
function isDark() {
    const chosen = page.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
function nameTheme() { byId("theme").textContent = isDark() ? "Light" : "Dark"; }
byId("theme").addEventListener("click", () => {
    page.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", page.dataset.theme); } catch (refused) { /* only for now, then */ }
    nameTheme();
});
nameTheme();

// ---- contents: this page's own line is in sight, at first and whenever a small screen opens them ----
function seeOwnLine() {
    const side = byId("sidebar"), own = side.querySelector("[aria-current]");
    if (own) side.scrollTop += own.getBoundingClientRect().top - side.getBoundingClientRect().top - side.clientHeight / 3;
}
seeOwnLine();

// ---- menu of small screens ----
byId("menu").addEventListener("click", () => {
    const open = byId("sidebar").classList.toggle("open");
    byId("menu").setAttribute("aria-expanded", open);
    seeOwnLine();
});

// ---- copying ----
for (const button of document.querySelectorAll(".copy")) {
    button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(button.nextElementSibling.textContent);
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
}

// ---- how wide each formula would be, in its own letters; the sheet makes those smaller where it has to ----
function measureFormulas() {
    const boxes = [...document.querySelectorAll(".display")];
    page.classList.add("measured");
    const widths = boxes.map((box) => box.offsetWidth / parseFloat(getComputedStyle(box).fontSize));
    page.classList.remove("measured");
    boxes.forEach((box, n) => { if (widths[n]) box.style.setProperty("--wide", widths[n].toFixed(2)); });
}

// ---- what is wider than its box is reached by keyboard, to be scrolled; the rest are no stops on the way ----
function stopWhereOneScrolls() {
    for (const box of document.querySelectorAll("pre, .scroll, .display")) {
        if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
        else if (box.clientWidth) box.removeAttribute("tabindex");  // what is folded has no width yet
    }
}
function arrange() {
    measureFormulas();
    stopWhereOneScrolls();
}
arrange();
document.fonts.ready.then(arrange);
document.addEventListener("toggle", arrange, true);
addEventListener("resize", stopWhereOneScrolls);

// ---- search: the index is a script, so that it loads from file://, too ----
const words = byId("words"), results = byId("results");
let chosen = -1;
let loading = false;
function withIndex(then) {
    if (window.courseSearch) return then();
    if (loading) return undefined;
    loading = true;
    const script = document.createElement("script");
    script.src = "assets/search.js";
    script.onload = then;
    return document.head.append(script);
}
function showResults() {
    const found = words.value.trim() ? window.courseSearch(words.value, 8) : [];
    results.replaceChildren(...found.map((hit, place) => {
        const link = document.createElement("a");
        link.href = hit.address;
        link.id = "result-" + place;
        link.setAttribute("role", "option");
        link.setAttribute("aria-selected", "false");
        const from = document.createElement("small");
        from.textContent = hit.chapter;
        link.append(hit.title, from);
        return link;
    }));
    if (words.value.trim() && !found.length) {
        const none = document.createElement("p");
        none.setAttribute("role", "option");
        none.textContent = "Nothing found.";
        results.append(none);
    }
    chosen = -1;
    words.removeAttribute("aria-activedescendant");
    results.hidden = !words.value.trim();
    words.setAttribute("aria-expanded", !results.hidden);
}
function choose(step) {
    const links = results.querySelectorAll("a");
    if (!links.length) return;
    chosen = (chosen + step + links.length) % links.length;
    links.forEach((link, place) => link.setAttribute("aria-selected", place === chosen));
    words.setAttribute("aria-activedescendant", "result-" + chosen);
    links[chosen].scrollIntoView({ block: "nearest" });
}
function closeResults() {
    results.hidden = true;
    words.setAttribute("aria-expanded", false);
}
words.addEventListener("input", () => withIndex(showResults));
words.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { choose(1); event.preventDefault(); }
    if (event.key === "ArrowUp") { choose(-1); event.preventDefault(); }
    if (event.key === "Escape") closeResults();
});
byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    const links = results.querySelectorAll("a");
    if (links.length) links[Math.max(chosen, 0)].click();
});
document.addEventListener("click", (event) => { if (!byId("search").contains(event.target)) closeResults(); });
document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName)) {
        words.focus();
        event.preventDefault();
    }
});
