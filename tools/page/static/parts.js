// Parts of a picture and what they are made of: SHOWs of `display.yaml`, contents of places, rows of equal parts.
"use strict";
(function (rw) {
  const { isNothing } = rw;
  const ONE_BY_ONE = 6; // equal pieces that lie beside each other in a row; more are counted
  const NUMBERS = ["number", "total"];

  const part = (fields) => ({ text: "", thing: "", form: "", count: null, dim: false, role: "", more: false, below: [],
    ...fields });
  const isBlank = (p) => !p.text && !p.thing && !p.form && p.count === null && !p.dim && !p.more;
  // A SHOW as the show-program has it, of a name alone.
  const showOf = (of, form = "") => ({ of, form, by: "", label: "", where: "" });

  function hidden(count, known = [], type = null, backs = []) {
    return { is: "hidden", count, known, type, backs };
  }

  // Whether nothing lies there, or none, false or zero.
  function isEmpty(content) {
    if (content.is === "pieces") return !content.counts.some(([, n]) => n);
    if (content.is === "hidden") return content.count === 0;
    return isNothing(content.value);
  }

  const itemsOf = (value, type) =>
    type.is === "set" || type.is === "list" ? value.map((v) => [v, type.item]) : [[value, type]];

  const total = (counts) => counts.reduce((sum, [, n]) => sum + n, 0);

  function summedUp(counts) {
    const summed = new Map();
    for (const [key, n] of counts) summed.set(key[0], (summed.get(key[0]) || 0) + n);
    return summed;
  }

  // Equal members behind one another as one with their number, where there are more than lie in a row.
  function piled(parts) {
    return runsOf(parts, (p) => JSON.stringify({ ...p, more: false })).flatMap((run) => {
      const many = run.length > (run[0].form === "face" ? 1 : ONE_BY_ONE) && run[0].thing && run[0].count === null;
      return many ? [{ ...run[0], count: run.length, more: run.at(-1).more }] : run;
    });
  }

  // Items behind one another that have the same key.
  function runsOf(items, keyOf) {
    const runs = [];
    let last;
    items.forEach((item, n) => {
      const key = keyOf(item, n);
      if (n && key === last) runs.at(-1).push(item);
      else runs.push([item]);
      last = key;
    });
    return runs;
  }

  // The parts of several contents as one list.
  function inList(several) {
    const found = several.filter((parts) => parts.length);
    return found.flatMap((parts, n) => parts.map((p, at) => (
      n + 1 < found.length && at + 1 === parts.length ? { ...p, more: true } : p)));
  }

  const asList = (parts) => parts.map((p, n) => (n + 1 < parts.length ? { ...p, more: true } : p));

  function byCodePoints(a, b) {
    const left = Array.from(a, (c) => c.codePointAt(0)), right = Array.from(b, (c) => c.codePointAt(0));
    for (let n = 0; n < Math.min(left.length, right.length); n++) if (left[n] !== right[n]) return left[n] - right[n];
    return left.length - right.length;
  }

  Object.assign(rw, { NUMBERS, part, isBlank, showOf, hidden, isEmpty, itemsOf, total, summedUp,
    piled, runsOf, asList, inList, byCodePoints });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
