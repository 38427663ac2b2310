// What a reader is shown as plain text, for names, corners and headings (`tools/shows/words.py`).
"use strict";
(function (rw) {
  // A SHOW as text, its label first; empty if nothing has its name or nothing is there.
  function plain(reader, spec, thing = 0) {
    return written(reader, spec, thing, true);
  }

  // The same without its label.
  function bare(reader, spec, thing) {
    return written(reader, spec, thing, false);
  }

  function written(reader, spec, thing, isLabelled) {
    reader.meets = false;
    const shown = reader.shown(spec, thing);
    reader.meets = true;
    const parts = isLabelled ? reader.labelled(spec, shown) : shown;
    return parts.map((p, n) => (n ? between(reader, parts[n - 1], p) : "") + partText(reader, p)).join("");
  }

  function between(reader, before, p) {
    if (before.more) return signOf(reader, before) && signOf(reader, p) ? " " : reader.texts.engine("and");
    if (before.role === "label") return "";
    return p.role === "head" && before.role !== "head" ? "; " : " ";
  }

  // The sign that a part is written by; empty where it is written by its name.
  function signOf(reader, p) {
    if (p.form !== "chip" && p.form !== "face") return "";
    const [kind] = p.thing.split(".", 1);
    return reader.signs[kind]?.[p.thing.slice(kind.length + 1)]?.glyph ?? "";
  }

  function partText(reader, p) {
    const sign = signOf(reader, p);
    if (sign) return sign + (p.count ?? "");
    return p.text + (p.count === null ? "" : ` ${p.count}`);
  }

  Object.assign(rw, { plain, bare });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
