// Search over the sections of the course: words with their endings cut off, BM25, and tolerance for slips.
(() => {
    "use strict";
    const sections = window.courseSections;
    const STOP = new Set(("a an and are as at be by can do does for from has have how i if in into is it its of on or " +
        "so that the their then there these this to was we what when where which while who why with you your").split(" "));
    // weight of a word in the heading of its section, and in the name of the lecture
    const IN_TITLE = 4, IN_CHAPTER = 3, A_CHAPTER = 2, AN_EXERCISE = 0.6, K = 1.4, B = 0.3;

    const letters = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
    const split = (text) => letters(text).match(/[a-z][a-z0-9]*|[0-9]+/g) || [];

    // English endings, cut so that gradient, gradients and vanishing, vanish, vanished meet.
    function stem(word) {
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
    sections.forEach((section, number) => {
        const count = new Map();
        const add = (text, weight) => {
            for (const word of split(text)) {
                if (!STOP.has(word)) count.set(stem(word), (count.get(stem(word)) || 0) + weight);
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

    // Words of the course that a typed word may mean, with how much each counts.
    function meant(word, isLast) {
        const exact = postings.has(word) ? [[word, 1]] : [];
        const longer = isLast && word.length > 2
            ? vocabulary.filter((other) => other !== word && other.startsWith(word)).map((other) => [other, 0.5]) : [];
        if (exact.length || longer.length || word.length < 4) return [...exact, ...longer];
        const slips = word.length > 7 ? 2 : 1;
        return vocabulary.filter((other) => isNear(word, other, slips)).map((other) => [other, 0.6]);
    }

    window.courseSearch = (query, most) => {
        const typed = split(query), kept = typed.filter((word) => !STOP.has(word));
        const asked = kept.length ? kept : typed;
        const score = new Map(), hits = new Map();
        asked.forEach((word, place) => {
            const best = new Map(); // one typed word counts once in a section
            for (const [other, weight] of meant(stem(word), place === asked.length - 1)) {
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
        // a section that has all the words comes before one that has a single one often
        // and a lecture before the problem set that asks about it
        const total = (number) => score.get(number) * (hits.get(number) / asked.length) ** 2 *
            (sections[number].address.startsWith("ps") ? AN_EXERCISE : 1);
        const best = [...score.keys()].sort((a, b) => total(b) - total(a)), seen = new Map();
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
