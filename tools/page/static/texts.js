// Texts of a game in the language of a reader: lookup, names, placeholders and number forms (`interpreter/rules/texts.py`).
"use strict";
(function (rw) {
  const PLACEHOLDER = /\{([^{}]*)\}/g;
  const squeeze = (name) => name.split(/\s+/).join("");

  class Texts {
    constructor(plan, lang) {
      this.plan = plan;
      this.lang = lang;
      this.said = plan.texts[lang];
      const tags = [];
      for (let parts = lang.split("-"); parts.length; parts = parts.slice(0, -1)) tags.push(parts.join("-"));
      tags.push(plan.languages[0]);
      this.tags = [...new Set(tags)].filter((tag) => plan.texts[tag]);
      this.index = {};
      for (const [name, domain] of Object.entries(plan.domains)) {
        this.index[name] = new Map(domain.values.map((value, n) => [value, n]));
      }
    }

    // The first of these keys that has a text, with its language; null if there is none.
    found(...keys) {
      for (const tag of this.tags) {
        const own = this.plan.texts[tag].own;
        for (const key of keys) if (Object.hasOwn(own, key)) return { text: own[key], tag };
      }
      return null;
    }

    find(...keys) {
      const found = this.found(...keys);
      return found === null ? null : found.text;
    }

    title(...keys) {
      return this.find(...keys) || keys[keys.length - 1].replaceAll("_", " ");
    }

    engine(key, parts) {
      return spoken(this.said.engine[key], parts);
    }

    // ---------------------------------------------------------- members

    memberId(domain, value) {
      if (!value) return "none";
      const at = this.index[domain]?.get(value);
      return at === undefined ? `${domain}#${value}` : this.plan.domains[domain].ids[at];
    }

    memberName(domain, value) {
      if (!value) return this.engine("none");
      const at = this.index[domain]?.get(value);
      return at === undefined ? `${domain}#${value}` : this.said.names[domain][at];
    }

    // ---------------------------------------------------------- values

    // A value for people.
    value(value, type) {
      switch (type.is) {
        case "member":
          return this.memberName(type.domain, value);
        case "set":
        case "list":
          return this.joined(value.map((v) => this.value(v, type.item)));
        case "amounts": {
          const rows = keysOf(type.keys);
          return this.joined(value.map(([k, n]) => `${this.key(rows[k], type.keys)} ${n}`));
        }
        case "map": {
          const rows = keysOf(type.keys);
          const shown = value.map((v, n) => [rows[n], v]).filter(([, v]) => !isNothing(v));
          return this.joined(shown.map(([k, v]) => `${this.key(k, type.keys)} ${this.value(v, type.item)}`));
        }
        case "bool":
          return this.engine(value ? "true" : "false");
      }
      return String(value);
    }

    key(values, types) {
      return values.map((v, n) => this.value(v, types[n])).join(" ");
    }

    joined(parts) {
      return parts.length ? parts.join(this.engine("and")) : this.engine("none");
    }

    // A value in the ids of logs (`Names.text`).
    id(value, type) {
      switch (type.is) {
        case "member":
          return this.memberId(type.domain, value);
        case "bool":
          return value ? "true" : "false";
        case "set":
          return `{${value.map((v) => this.id(v, type.item)).join(", ")}}`;
        case "list":
          return value.map((v) => this.id(v, type.item)).join(", ") || "none";
        case "amounts": {
          const rows = keysOf(type.keys);
          return value.map(([k, n]) => `${this.idKey(rows[k], type.keys)} ${n}`).join(", ") || "none";
        }
        case "map": {
          const rows = keysOf(type.keys);
          const shown = value.map((v, n) => [rows[n], v]).filter(([, v]) => !isNothing(v));
          return shown.map(([k, v]) => `${this.idKey(k, type.keys)} ${this.id(v, type.item)}`).join(", ") || "none";
        }
      }
      return String(value);
    }

    idKey(values, types) {
      return values.map((v, n) => this.id(v, types[n])).join(" ");
    }

    // ---------------------------------------------------------- templates

    // The template with values put in: `{name}`, `{n|cube|cubes}`, `{card|reward}`. `values`: name -> text, or value
    // and type; an unknown name stays.
    fill({ text, tag }, values) {
      return text.replace(PLACEHOLDER, (whole, inside) => {
        const [name, ...forms] = inside.split("|");
        const named = values.get(squeeze(name));
        if (named === undefined) return whole;
        if (typeof named === "string") return named;
        if (!forms.length) return this.value(named.value, named.type);
        if (named.type.is === "member") return this.strip(named.value, forms[0].trim());
        const n = Math.abs(amount(named));
        const rule = this.plan.texts[text.includes("|") ? tag : this.lang].forms;
        return forms[Math.min(Number(n < 200 ? rule[n] : rule[100 + (n % 100)]), forms.length - 1)];
      });
    }

    // A strip of a card in the words of its icons.
    strip(thing, name) {
      const { ids, kinds } = this.plan.things;
      return (thing >= 0 && thing < ids.length && this.find(`${kinds[thing]}.${ids[thing]}.${name}`)) || "";
    }
  }

  function spoken(text, parts = {}) {
    return text.replace(PLACEHOLDER, (whole, name) => (Object.hasOwn(parts, name) ? String(parts[name]) : whole));
  }

  function amount({ value, type }) {
    switch (type.is) {
      case "set":
      case "list":
        return value.length;
      case "amounts":
        return value.reduce((sum, [, n]) => sum + n, 0);
      case "map":
        return value.reduce((sum, n) => sum + (typeof n === "number" ? n : 0), 0);
    }
    return value;
  }

  const isNothing = (value) => (Array.isArray(value) ? !value.length : !value);

  const known = new WeakMap();

  // All combinations of keys, row-major.
  function keysOf(keys) {
    let rows = known.get(keys);
    if (!rows) {
      rows = [[]];
      for (const key of keys) {
        const [low, high] = boundsOf(key);
        rows = rows.flatMap((row) => Array.from({ length: high - low + 1 }, (_, n) => [...row, low + n]));
      }
      known.set(keys, rows);
    }
    return rows;
  }

  const boundsOf = (type) => (type.is === "bool" ? [0, 1] : [type.low, type.high]);

  Object.assign(rw, { Texts, spoken, squeeze, keysOf, boundsOf, isNothing });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
