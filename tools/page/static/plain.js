// What a reader is shown as plain text, for names, corners and headings (`Presenter.show` of `tools/display/values.py`).
"use strict";
(function (rw) {
  const { NUMBERS, asSpec, isEmpty, summedUp, total } = rw;

  // A SHOW as text; empty if nothing has its name.
  function plain(reader, spec, thing = 0, enum_ = "") {
    spec = asSpec(spec);
    const label = reader.label(spec);
    const form = spec.as === "face" ? "row" : spec.as;
    if (spec.of === "id") {
      const type = enum_ ? { is: "member", domain: enum_ } : reader.memberType(thing);
      if (form === "text") return label + plainMember(reader, thing, type, form);
      return label + ((form === "glyph" && reader.glyph(thing, type)) || reader.texts.memberId(type.domain, thing));
    }
    const shown = reader.contentsOf(spec, thing, enum_).map((content) => plainContent(reader, content, form));
    const text = shown.filter(Boolean).join(reader.texts.engine("and"));
    return text ? label + text : text;
  }

  function plainContent(reader, content, form) {
    const { texts } = reader;
    switch (content.is) {
      case "hidden": {
        const { count, known, type, backs } = content;
        if (count !== null && (NUMBERS.includes(form) || count === 0)) return String(count);
        const things = type && known.length ? known.map((t) => plainMember(reader, t, type, null)) : [];
        return reader.hiddenText(count, backs) + (things.length ? `: ${things.join(texts.engine("and"))}` : "");
      }
      case "pieces":
        return plainPieces(reader, content.counts, content.types, form);
      case "members":
        return content.parts.filter(([, one]) => !isEmpty(one))
          .map(([v, one]) => `${plainMember(reader, v, content.key, "text")}: ${plainContent(reader, one, form)}`).join("; ");
    }
    const { value, type } = content;
    const items = reader.partsOf(value, type);
    if (items === null) {
      if (form === "total") return String(Number(value !== 0));
      if (form === "row" && value === 0) return "";
      return plainMember(reader, value, type, ["row", "number", "counts"].includes(form) ? null : form);
    }
    if (items.is) return plainPieces(reader, items.counts, items.types, form);
    if (NUMBERS.includes(form)) return String(items.length);
    const glyphs = items.every(([v, t]) => reader.glyph(v, t));
    const shown = items.map(([v, t]) => plainMember(reader, v, t, form === "text" ? form : "glyph"));
    return shown.join(glyphs ? " " : texts.engine("and"));
  }

  function plainPieces(reader, counts, types, form) {
    if (NUMBERS.includes(form) || !types.length) return String(total(counts));
    const summed = [...summedUp(counts)];
    if (form === "row") {
      return summed.flatMap(([v, n]) => Array.from({ length: n }, () => plainMember(reader, v, types[0], "glyph"))).join(" ");
    }
    if (summed.every(([v]) => reader.glyph(v, types[0]))) {
      return summed.map(([v, n]) => plainMember(reader, v, types[0], "glyph") + n).join(" ");
    }
    return summed.map(([v, n]) => `${plainMember(reader, v, types[0], "text")} ${n}`).join(reader.texts.engine("and"));
  }

  function plainMember(reader, value, type, form) {
    if (type.is !== "member") return reader.texts.value(value, type);
    if (!value) return "";
    if (form === "id") return reader.texts.id(value, type);
    const glyph = form === null || form === undefined || form === "glyph" ? reader.glyph(value, type) : "";
    return glyph || reader.texts.value(value, type);
  }

  Object.assign(rw, { plain });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
