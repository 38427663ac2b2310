// Parts of a picture and what they are made of: SHOWs of `display.yaml`, contents of places, rows of equal parts.
"use strict";
(function (rw) {
  const { isNothing } = rw;
  const ONE_BY_ONE = 6; // equal pieces that lie beside each other in a row; more are counted
  const NUMBERS = ["number", "total"];

  const part = (fields) => ({ text: "", thing: "", form: "", count: null, dim: false, more: false, below: [], ...fields });
  const isBlank = (p) => !p.text && !p.thing && !p.form && p.count === null && !p.dim && !p.more;
  const subject = (spec) => String(spec !== null && typeof spec === "object" ? spec.of : spec);
  const asSpec = (spec) => (spec !== null && typeof spec === "object" ? spec : { of: String(spec) });
  const withoutLabel = (spec) => (spec !== null && typeof spec === "object" ? { ...spec, label: "" } : spec);

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

  // Equal parts behind one another as one with their number, where there are more than lie in a row.
  function piled(parts) {
    const found = runsOf(parts, JSON.stringify).flatMap((run) => {
      const many = run.length > (run[0].form === "face" ? 1 : ONE_BY_ONE);
      return many ? [{ ...run[0], count: run.length }] : run;
    });
    return asList(found);
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

  const asList = (parts) => parts.map((p, n) => (n + 1 < parts.length ? { ...p, more: true } : p));

  function byCodePoints(a, b) {
    const left = Array.from(a, (c) => c.codePointAt(0)), right = Array.from(b, (c) => c.codePointAt(0));
    for (let n = 0; n < Math.min(left.length, right.length); n++) if (left[n] !== right[n]) return left[n] - right[n];
    return left.length - right.length;
  }

  Object.assign(rw, { NUMBERS, ONE_BY_ONE, part, isBlank, subject, asSpec, withoutLabel, hidden, isEmpty, itemsOf, total, summedUp,
    piled, runsOf, asList, byCodePoints });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
