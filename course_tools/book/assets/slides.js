// Slides: arrows turn them, s opens the speaker's notes, f fills the screen, ? lists the keys.
"use strict";
Reveal.initialize({
    width: 1280, height: 720, margin: 0.03, hash: true, center: false, slideNumber: "c/t",
    transition: "none", plugins: [RevealNotes], pdfSeparateFragments: false,
});
