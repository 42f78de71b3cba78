// Interactive parts of pages and slides. Most show a picture that was drawn when the book was made; where the
// formula is short, a few lines compute here what Python computes in the notebook (a test compares the numbers).
"use strict";
(() => {
    const logFactorial = [0];
    for (let n = 1; n <= 512; n++) logFactorial.push(logFactorial[n - 1] + Math.log(n));
    const ORDERS = [...Array.from({ length: 63 }, (_, n) => n + 2), 80, 96, 128, 192, 256, 512];
    const DELTA = 1e-4, RECORDS = 1000;

    // Rényi divergence of one step of private training, for a whole order.
    function renyiStep(q, sigma, order) {
        const terms = [];
        for (let k = 0; k <= order; k++) {
            const away = k < order ? (order - k) * Math.log1p(-q) : 0;
            terms.push(logFactorial[order] - logFactorial[k] - logFactorial[order - k] + k * Math.log(q) +
                (k * k - k) / (2 * sigma * sigma) + away);
        }
        const top = Math.max(...terms);
        return (top + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - top), 0))) / (order - 1);
    }
    function divergences(batch, sigma) { return ORDERS.map((order) => renyiStep(batch / RECORDS, sigma, order)); }
    function epsilonAfter(steps, one) {
        return Math.min(...ORDERS.map((order, n) => steps * one[n] + Math.log(1 / DELTA) / (order - 1)));
    }

    // Parameters of a GPT: layers, width, tokens of the vocabulary, positions.
    const gptSize = (layers, width, words, context) =>
        layers * (12 * width * width + 13 * width) + (words + context) * width + 2 * width;

    const short = (value) => Number(value.toPrecision(2)).toString();
    const grouped = (value) => value.toString().replace(/\B(?=(\d{3})+$)/g, ",");

    function accountant(sigma, batch, steps) {
        const one = divergences(batch, sigma), now = epsilonAfter(steps, one);
        const x = (value) => 60 + 560 * Math.log10(value) / Math.log10(2000);
        const y = (value) => 260 - 240 * Math.log10(Math.min(Math.max(value, 0.05), 2000) / 0.05) / Math.log10(40000);
        const at = Array.from({ length: 60 }, (_, n) => Math.round(2000 ** (n / 59)));
        const curve = at.map((t) => `${x(t).toFixed(1)},${y(epsilonAfter(t, one)).toFixed(1)}`).join(" ");
        const across = [1, 10, 100, 1000].map((t) => `<text x="${x(t)}" y="278" text-anchor="middle">${t}</text>` +
            `<path class="grid" d="M${x(t)} 20V260"/>`).join("");
        const up = [0.1, 1, 10, 100, 1000].map((e) => `<text x="52" y="${y(e) + 5}" text-anchor="end">${e}</text>` +
            `<path class="grid" d="M60 ${y(e)}H620"/>`).join("");
        const left = x(steps) > 500, label = `<text class="strong" x="${x(steps) + (left ? -12 : 12)}" y="${y(now) + 24}" ` +
            `text-anchor="${left ? "end" : "start"}">ε = ${short(now)}</text>`;
        const passes = (steps * batch / RECORDS).toFixed(1);
        return [`${across}${up}<polyline points="${curve}"/><circle cx="${x(steps)}" cy="${y(now)}" r="7"/>${label}` +
            '<text x="340" y="297" text-anchor="middle">training steps</text><text x="60" y="14">ε (log scale)</text>',
            `Noise σ = ${sigma}, ${batch} of ${RECORDS} records per step: after ${steps} steps, ${passes} passes over the data, ` +
            `ε is ${short(now)} at δ = 0.0001.`];
    }
    function size(layers, width, words, context) {
        const all = gptSize(layers, width, words, context), blocks = 12 * layers * width * width;
        const tables = (words + context) * width, bar = (part) => 560 * part / all;
        const drawn = `<rect class="first" x="40" y="30" width="${bar(blocks)}" height="40"/>` +
            `<rect class="second" x="${40 + bar(blocks)}" y="30" width="${bar(tables)}" height="40"/>` +
            '<text x="40" y="20">weights of the blocks, 12 L d²</text>' +
            `<text x="600" y="90" text-anchor="end">tables of tokens and positions, ${Math.round(100 * tables / all)} %</text>`;
        return [drawn, `${grouped(all)} parameters: 12 L d² alone gives ${grouped(blocks)}, ` +
            `${Math.round(100 * blocks / all)} % of them. With two bytes each they take ${short(2 * all / 1e9)} GB.`];
    }
    window.courseParts = { accountant, size, epsilon: (batch, sigma, steps) => epsilonAfter(steps, divergences(batch, sigma)), gptSize };

    function withFrames(part) {
        const picture = part.querySelector("img"), frames = JSON.parse(part.querySelector("script").textContent);
        return (places, options) => {
            const number = places.reduce((sum, place, n) => sum * options[n].length + place, 0);
            picture.src = frames.folder + frames.files[number];
            picture.alt = frames.descriptions[number];
            return picture.alt;
        };
    }
    function withScript(part) {
        const drawing = part.querySelector("svg"), compute = window.courseParts[part.dataset.computed];
        return (places, options) => {
            const [drawn, said] = compute(...places.map((place, n) => Number(options[n][place])));
            drawing.innerHTML = drawn;
            drawing.setAttribute("aria-label", said);
            return said;
        };
    }
    for (const part of document.querySelectorAll(".explorer")) {
        const controls = [...part.querySelectorAll("[data-options]")], said = part.querySelector(".said");
        const draw = part.dataset.computed ? withScript(part) : withFrames(part);
        const options = controls.map((control) => JSON.parse(control.dataset.options));
        const show = () => {
            controls.forEach((control, n) => {
                const chosen = options[n][control.value], shown = control.parentElement.querySelector("output");
                if (shown) shown.textContent = chosen;
                if (control.type === "range") control.setAttribute("aria-valuetext", chosen);
            });
            said.textContent = draw(controls.map((control) => Number(control.value)), options);
        };
        for (const control of controls) control.addEventListener("input", show);
        if (part.dataset.computed) show();
    }
})();
