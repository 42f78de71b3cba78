// Search over the sections of the course: words with their endings cut off, BM25, tolerance for slips, and meaning:
// a word that the course does not use stands for those near it, and sections near the question come before others.
(() => {
    "use strict";
    const sections = window.courseSections;
    const STOP = new Set(("a an and are as at be by can do does for from has have how i if in into is it its of on or " +
        "so that the their then there these this to was we what when where which while who why with you your").split(" "));
    // weight of a word in the heading of its section, and in the name of the lecture
    const IN_TITLE = 4, IN_CHAPTER = 3, A_CHAPTER = 2, A_PHRASE = 1.6, AN_EXERCISE = 0.6, K = 1.4, B = 0.3;

    const letters = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
    const split = (text) => letters(text).match(/[a-z][a-z0-9]*|[0-9]+/g) || [];

    // English endings, cut so that gradient, gradients and vanishing, vanish, vanished meet.
    const stems = new Map();
    function stem(word) {
        if (!stems.has(word)) stems.set(word, cutStem(word));
        return stems.get(word);
    }
    function cutStem(word) {
        if (word.length < 4) return word;
        word = word.replace(/'s$/, "").replace(/(ss|sh|ch|x)es$/, "$1").replace(/ies$/, "y");
        word = word.replace(/([^s])s$/, "$1");
        const cut = word.replace(/(isation|ization)s?$/, "ise").replace(/ally$/, "al").replace(/(ing|ed)$/, "");
        if (cut !== word && /[aeiouy]/.test(cut) && cut.length > 2) {
            word = cut.replace(/([bdgklmnprt])\1$/, "$1");
        }
        return word.replace(/(er|e|y)$/, (end) => (word.length - end.length > 2 ? "" : end));
    }

    const postings = new Map(), sizes = [];
    const running = sections.map((section) => split(section.title + " " + section.text).join(" "));
    sections.forEach((section, number) => {
        const count = new Map();
        const add = (text, weight) => {
            for (const word of split(text)) {
                if (STOP.has(word)) continue;
                const root = stem(word);
                count.set(root, (count.get(root) || 0) + weight);
            }
        };
        add(section.text, 1);
        add(section.title, IN_TITLE);
        add(section.chapter, IN_CHAPTER);
        let size = 0;
        for (const [word, times] of count) {
            if (!postings.has(word)) postings.set(word, []);
            postings.get(word).push([number, times]);
            size += times;
        }
        sizes.push(size);
    });
    const vocabulary = [...postings.keys()];
    const mean = sizes.reduce((sum, size) => sum + size, 0) / Math.max(sizes.length, 1);

    // At most `most` letters inserted, left out, replaced, or swapped with their neighbour?
    function isNear(a, b, most) {
        if (Math.abs(a.length - b.length) > most) return false;
        let before = [], row = Array.from({ length: b.length + 1 }, (_, j) => j);
        for (let i = 1; i <= a.length; i++) {
            const next = [i];
            for (let j = 1; j <= b.length; j++) {
                const same = a[i - 1] === b[j - 1];
                next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1));
                if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
                    next[j] = Math.min(next[j], before[j - 2] + 1);
                }
            }
            if (Math.min(...next) > most) return false;
            before = row;
            row = next;
        }
        return row[b.length] <= most;
    }

    // ---- meaning: a small vector for each word and each section, as whole numbers in base64 ----
    const meaning = window.courseMeaning;
    const NEAR = 0.55, A_NEIGHBOUR = 0.7, NEIGHBOURS = 5, MEANING = 0.15, BY_MEANING_ALONE = 0.45;
    function unpacked(text, size) {
        const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", value = new Uint8Array(128);
        for (let n = 0; n < 64; n++) value[signs.charCodeAt(n)] = n;
        const bytes = new Int8Array(text.length * 3 / 4);
        for (let from = 0, to = 0; from < text.length; from += 4, to += 3) {
            const four = (value[text.charCodeAt(from)] << 18) | (value[text.charCodeAt(from + 1)] << 12) |
                (value[text.charCodeAt(from + 2)] << 6) | value[text.charCodeAt(from + 3)];
            bytes[to] = four >> 16; bytes[to + 1] = four >> 8; bytes[to + 2] = four;
        }
        const rows = [];
        for (let at = 0; at + size <= bytes.length; at += size) {
            let squares = 0;
            for (let n = at; n < at + size; n++) squares += bytes[n] * bytes[n];
            const row = new Float32Array(size), length = Math.sqrt(squares) || 1;
            for (let n = 0; n < size; n++) row[n] = bytes[at + n] / length;
            rows.push(row);
        }
        return rows;
    }
    const dot = (a, b) => { let sum = 0; for (let n = 0; n < a.length; n++) sum += a[n] * b[n]; return sum; };
    const vectors = meaning ? unpacked(meaning.ofWords, meaning.size) : [];
    const places = meaning ? unpacked(meaning.ofSections, meaning.size) : [];
    const place = new Map(meaning ? meaning.words.split(" ").map((word, number) => [word, number]) : []);
    const byStem = new Map([...place].reverse().map(([word, number]) => [stem(word), number]));
    const placeOf = (word) => place.get(word) ?? byStem.get(stem(word));
    const used = [...place].filter(([word]) => !STOP.has(word) && postings.has(stem(word)));

    // Words of the course that are near a word which the course does not use.
    function neighbours(word) {
        const own = vectors[placeOf(word)];
        if (!own) return [];
        const near = new Map();
        for (const [other, number] of used) {
            const cosine = dot(own, vectors[number]), root = stem(other);
            if (cosine > NEAR && cosine > (near.get(root) || 0)) near.set(root, cosine);
        }
        return [...near].sort((a, b) => b[1] - a[1]).slice(0, NEIGHBOURS).map(([root, cosine]) => [root, A_NEIGHBOUR * cosine]);
    }
    // How near each section is to the question.
    function nearness(asked) {
        const known = asked.map(placeOf).filter((number) => number !== undefined);
        if (!known.length) return null;
        const sum = new Float32Array(meaning.size);
        for (const number of known) {
            vectors[number].forEach((value, n) => { sum[n] += meaning.weights[number] * value; });
        }
        const length = Math.hypot(...sum) || 1;
        return places.map((row) => Math.max(0, dot(row, sum) / length));
    }

    // Words of the course that a typed word may mean, with how much each counts.
    function meant(typed, isLast) {
        const word = stem(typed), exact = postings.has(word) ? [[word, 1]] : [];
        const longer = isLast && word.length > 2
            ? vocabulary.filter((other) => other !== word && other.startsWith(word)).map((other) => [other, 0.5]) : [];
        if (exact.length || longer.length || word.length < 4) return [...exact, ...longer];
        const near = neighbours(typed);
        if (near.length) return near;
        const slips = word.length > 7 ? 2 : 1;
        return vocabulary.filter((other) => isNear(word, other, slips)).map((other) => [other, 0.6]);
    }

    window.courseSearch = (query, most) => {
        const typed = split(query), kept = typed.filter((word) => !STOP.has(word));
        const asked = kept.length ? kept : typed;
        const score = new Map(), hits = new Map();
        asked.forEach((word, at) => {
            const best = new Map(); // one typed word counts once in a section
            for (const [other, weight] of meant(word, at === asked.length - 1)) {
                const list = postings.get(other) || [];
                const rare = Math.log(1 + (sections.length - list.length + 0.5) / (list.length + 0.5));
                for (const [number, times] of list) {
                    const share = times * (K + 1) / (times + K * (1 - B + B * sizes[number] / mean));
                    best.set(number, Math.max(best.get(number) || 0, weight * rare * share));
                }
            }
            for (const [number, value] of best) {
                score.set(number, (score.get(number) || 0) + value);
                hits.set(number, (hits.get(number) || 0) + 1);
            }
        });
        // a section that has all the words comes before one that has a single one often,
        // and a lecture before the problem set that asks about it
        const near = nearness(asked), lecture = (number) => (sections[number].address.startsWith("ps") ? AN_EXERCISE : 1);
        const phrase = typed.length > 1 ? typed.join(" ") : null;
        const byWords = new Map([...score].map(([number, value]) => [number, value * (hits.get(number) / asked.length) ** 2 *
            (phrase && running[number].includes(phrase) ? A_PHRASE : 1)]));
        const top = Math.max(0, ...byWords.values());
        const total = new Map();
        sections.forEach((_, number) => {
            const words = byWords.get(number) || 0, cosine = near ? near[number] : 0;
            const value = top ? words + (words ? MEANING * top * cosine ** 2 : 0) : (cosine > BY_MEANING_ALONE ? cosine : 0);
            if (value) total.set(number, value * lecture(number));
        });
        const best = [...total.keys()].sort((a, b) => total.get(b) - total.get(a)), seen = new Map();
        // two sections of a lecture are enough to find it
        const few = best.filter((number) => {
            const from = sections[number].chapter;
            seen.set(from, (seen.get(from) || 0) + 1);
            return seen.get(from) <= A_CHAPTER;
        });
        return few.slice(0, most)
            .map((number) => ({ address: sections[number].address, chapter: sections[number].chapter, title: sections[number].title }));
    };
})();
