// What a reader sees of a store: the values behind the SHOWs of `display.yaml`, and their parts in a picture
// (`tools/shows`, `tools/picture/model/reader.py`). Everything that is shown comes through `read`.
"use strict";
(function (rw) {
  const { AT, GaveUp, keysOf, boundsOf, part, isBlank, hidden, isEmpty, itemsOf, total, summedUp, piled,
    asList, inList, byCodePoints, NUMBERS } = rw;

  class Reader {
    // `seat`: the number of the reader, 0 for an onlooker; `asked`: the seat that is asked, 0 for none. The store
    // stands in the memory of the module.
    constructor(module, texts, seat, asked) {
      this.module = module;
      this.plan = module.plan;
      this.texts = texts;
      this.seat = seat;
      this.words = module.words;
      this.seats = this.words[AT.SEATS];
      this.viewer = module.seatThing(seat || asked || 1);
      this.signs = this.plan.shows.members;
      this.meets = true; // whether it takes note of the members that it shows
      this.things = new Map();
      this.images = new Set(); // names of drawings that something is shown with
      this.chips = new Map();
      this.cards = new Map();
      this.cardFacts = new Map();
    }

    // ---------------------------------------------------------- members

    kindOf(thing) {
      return this.plan.things.kinds[thing];
    }

    memberType(thing) {
      const kind = this.kindOf(thing);
      return { is: "member", domain: kind, low: thing, high: thing };
    }

    membersOf(kind) {
      const domain = this.plan.domains[kind];
      if (!domain || domain.sort === "enum") return [];
      return kind === this.plan.seat_kind ? domain.values.slice(0, this.seats) : domain.values;
    }

    // The enum of a member, or the kind of a thing, which may be part of a union.
    sort(value, type) {
      const domain = this.plan.domains[type.domain];
      return domain && domain.sort !== "enum" ? this.kindOf(value) : type.domain;
    }

    looks(value, type) {
      const sort = this.sort(value, type);
      const at = this.texts.index[sort]?.get(value);
      const [mark, colour, icon, pattern] = at === undefined ? ["", "", "", ""] : this.plan.looks[sort][at];
      return { mark, colour, icon, pattern };
    }

    glyph(value, type) {
      if (type.is !== "member" || !value) return "";
      return this.signs[this.sort(value, type)]?.[this.texts.memberId(type.domain, value)]?.glyph ?? "";
    }

    // The name of a member in all that is drawn: `Kind.id`, by the kind that it is of.
    key(value, type) {
      return `${this.sort(value, type)}.${this.texts.memberId(type.domain, value)}`;
    }

    thing(value, type) {
      const key = this.key(value, type);
      if (!this.things.has(key)) {
        const sort = this.sort(value, type);
        const id = this.texts.memberId(type.domain, value);
        const about = this.texts.said.about[sort]?.[id] || [];
        const name = this.texts.value(value, type);
        const { mark, colour, icon, pattern } = this.looks(value, type);
        this.images.add(icon);
        this.things.set(key, { key, name, mark, colour, icon, pattern, about });
      }
      return this.things.get(key);
    }

    thingByNumber(number) {
      return this.thing(number, this.memberType(number));
    }

    name(number) {
      return this.member(number, this.memberType(number), "name");
    }

    nameText(number) {
      return this.texts.value(number, this.memberType(number));
    }

    // One value: a member in this form, by its sign if it has one and no other form is wanted; or a text.
    member(value, type, form, count = null) {
      if (type.is !== "member") return part({ text: this.texts.value(value, type), count });
      if (!value) return part({});
      if (form === "id") return part({ text: this.texts.id(value, type), count });
      const isCard = form === "face" && this.plan.domains[type.domain].sort !== "enum";
      const isSign = ["", "glyph", "face"].includes(form) && this.glyph(value, type);
      const found = part({ text: this.texts.value(value, type), thing: this.key(value, type),
        form: isCard ? "face" : isSign ? "chip" : "name", count });
      if (this.meets) {
        this.thing(value, type);
        if (isCard) this.cards.set(found.thing, value);
        else if (isSign) this.chips.set(found.thing, null);
      }
      return found;
    }

    // ---------------------------------------------------------- who sees what

    // Whether a seat is in an audience; not where that cannot be found out.
    sees(audience, thing, seat) {
      if (audience === "all") return true;
      if (audience === "nobody" || !audience) return false;
      if (!seat) return this.allOfSeveral((one) => this.sees(audience, thing, one)); // an onlooker
      try {
        return this.isAmong(audience, thing, seat);
      } catch (fault) {
        if (!(fault instanceof GaveUp)) throw fault;
        return false;
      }
    }

    // Whether this holds of all seats, and there are several: what all know, an onlooker knows.
    allOfSeveral(test) {
      let all = this.seats > 1;
      for (let seat = 1; all && seat <= this.seats; seat++) all = test(seat);
      return all;
    }

    isAmong(audience, thing, seat) {
      if (audience.test !== undefined) {
        const args = [thing, this.module.seatThing(seat)];
        return this.module.call(`read${audience.test}`, ...args.slice(args.length - audience.args)) !== 0;
      }
      const own = this.module.seatNumber(thing);
      if (own) return own === seat;
      if (audience.owner < 0 || !thing) return false;
      return this.module.seatNumber(this.module.call(`read${audience.owner}`, thing)) === seat;
    }

    seesCell(entry, thing, seat = this.seat) {
      return this.sees(entry.audience, thing, seat);
    }

    // Whether the reader knows where a thing is: it sees the zone or its top, or was shown.
    knows(thing, seat = this.seat) {
      const address = this.plan.placed[thing] || 0;
      const zone = address ? this.words[address] : 0;
      if (!zone) return true;
      const [, base, entry, holder, top] = this.plan.zones[zone];
      if (entry < 0 || this.sees(this.plan.layout[entry].audience, holder, seat)) return true;
      if (top && this.sees(top, holder, seat) && this.words[base] && this.words[base + 1] === thing) return true;
      if (!seat) return this.allOfSeveral((one) => this.knows(thing, one));
      return Boolean(this.plan.known && (this.words[this.plan.known + thing] >> seat) & 1);
    }

    // Of these things those that not everybody knows, each with the seats that do.
    knowers(things) {
      if (!this.plan.known) return new Map();
      const seats = Array.from({ length: this.seats }, (_, n) => n + 1);
      const unknown = [...new Set(things)].filter((thing) => !this.knows(thing, 0));
      return new Map(unknown.map((thing) => [thing, seats.filter((seat) => this.knows(thing, seat))]));
    }

    // ---------------------------------------------------------- reading

    // What a name means of a thing (0: the whole game) or a member of an enum; null if nothing has it. Pieces, a value,
    // something hidden, or what lies in the zones of each member.
    read(name, thing = 0, enum_ = "") {
      const rows = Object.hasOwn(this.plan.sources, name) ? this.plan.sources[name] : {};
      const kind = thing ? (enum_ ? `*${enum_}` : this.kindOf(thing)) : "";
      const source = Object.hasOwn(rows, kind) ? rows[kind] : rows[""];
      switch (source?.is) {
        case "field": {
          const entry = this.plan.layout[source.entry];
          const found = this.readEntry(entry, source.owned ? thing : 0);
          return source.indexed ? this.select(found, thing) : found;
        }
        case "const":
          return { is: "value", value: source.rows[thing - source.first], type: source.type };
        case "original":
          return { is: "value", value: this.plan.copies[thing] ?? thing, type: this.memberType(thing) };
        case "call":
          return this.call(source, source.args.map((arg) => (arg === "thing" ? thing : this.viewer)));
      }
      return null;
    }

    call(source, args) {
      if (this.module.hides(source.read, this.seat, args)) return hidden(null);
      try {
        return { is: "value", value: this.module.read(source.read, source.type, args), type: source.type };
      } catch (fault) {
        if (!(fault instanceof GaveUp)) throw fault;
        return { is: "value", value: "?", type: { is: "unknown" } };
      }
    }

    readEntry(entry, thing) {
      const base = entry.base + (entry.owned ? (thing - entry.first) * entry.step : 0);
      const keys = entry.owned ? entry.dims.slice(1) : entry.dims;
      if (!keys.length) return this.readWords(entry, thing, base);
      const [low, high] = boundsOf(keys[0]);
      const parts = [];
      for (let v = low; v <= high; v++) parts.push([v, this.readWords(entry, thing, base + (v - low) * entry.type.width)]);
      return { is: "members", parts, key: keys[0] };
    }

    readWords(entry, thing, base) {
      const value = this.module.at(this.words, base, entry.type);
      if (!this.seesCell(entry, thing)) return this.hiddenContent(entry, value);
      if (entry.sort === "slot") {
        if (!entry.slot.length) return { is: "pieces", counts: [[[], Number(value !== 0)]], types: [] };
        const last = entry.slot[entry.slot.length - 1];
        return { is: "value", value: value ? keysOf(entry.slot)[value - 1].at(-1) : 0, type: last };
      }
      if (entry.sort !== "pieces") return { is: "value", value, type: entry.type };
      if (entry.type.is !== "map") return { is: "pieces", counts: [[[], value]], types: [] };
      const counts = new Map();
      keysOf(entry.type.keys).forEach((key, n) => {
        const index = key.slice(entry.faces);
        if (value[n]) counts.set(String(index), [index, (counts.get(String(index))?.[1] || 0) + value[n]]);
      });
      return { is: "pieces", counts: [...counts.values()], types: entry.type.keys.slice(entry.faces) };
    }

    hiddenContent(entry, value) {
      const things = Array.isArray(value) ? value : value ? [value] : [];
      const isZone = entry.sort === "zone";
      const known = isZone ? things.filter((t) => this.knows(t)) : [];
      const type = entry.type.is === "set" || entry.type.is === "list" ? entry.type.item : entry.type;
      let backs = isZone ? things.map((t) => this.texts.said.backs[t]).filter(Boolean) : [];
      if (entry.type.is !== "list") backs = backs.sort(byCodePoints);
      if (!entry.sized || !(entry.sort === "pieces" || isZone)) return hidden(null, known, type, backs);
      if (isZone) return hidden(things.length, known, type, backs);
      const count = Array.isArray(value) ? value.reduce((sum, n) => sum + n, 0) : value;
      return hidden(count, [], null, backs);
    }

    // The part of counts or of a map for one member of the first index.
    select(content, member) {
      if (content.is === "pieces") {
        const counts = content.counts.filter(([key]) => key[0] === member).map(([key, n]) => [key.slice(1), n]);
        return { is: "pieces", counts, types: content.types.slice(1) };
      }
      if (content.is === "members") return content.parts.find(([v]) => v === member)?.[1] || hidden(0);
      if (content.is === "value" && content.type.is === "map" && content.type.keys.length === 1) {
        const value = content.value[member - boundsOf(content.type.keys[0])[0]];
        return { is: "value", value, type: content.type.item };
      }
      return content;
    }

    hasContent(name, thing = 0, enum_ = "") {
      if (name === "id") return true;
      const found = this.read(name, thing, enum_);
      if (found === null) return false;
      return found.is === "members" ? found.parts.some(([, one]) => !isEmpty(one)) : !isEmpty(found);
    }

    // The things that the reader knows to be in a zone.
    contents(name, thing) {
      const found = this.read(name, thing);
      if (found?.is === "hidden") return found.known;
      if (found?.is !== "value") return [];
      if (found.type.is === "set" || found.type.is === "list") return found.value;
      return found.type.is === "member" && found.value ? [found.value] : [];
    }

    // Things counted by the member that they have under a name, and those that have none.
    countBy(content, name) {
      const counts = new Map();
      const rest = [];
      let key = null;
      for (const [thing, type] of itemsOf(content.value, content.type)) {
        const found = thing && type.is === "member" ? this.read(name, thing) : null;
        if (found?.is === "value" && found.type.is === "member" && found.value) {
          counts.set(found.value, (counts.get(found.value) || 0) + 1);
          key = found.type;
        } else if (thing) rest.push([thing, type]);
      }
      const parts = [];
      if (key) {
        const sorted = [...counts].sort(([a], [b]) => a - b);
        parts.push({ is: "pieces", counts: sorted.map(([v, n]) => [[v], n]), types: [key] });
      }
      if (rest.length) {
        const type = { is: "list", item: rest[0][1] };
        parts.push({ is: "value", value: rest.map(([thing]) => thing), type });
      }
      return parts;
    }

    // The members that a value holds, or amounts by member; null where it is a single one.
    partsOf(value, type) {
      switch (type.is) {
        case "set":
        case "list":
          return itemsOf(value, type);
        case "map": {
          if (type.item.is === "member") return value.filter(Boolean).map((v) => [v, type.item]);
          const counts = keysOf(type.keys).map((k, n) => [k, value[n]]).filter(([, n]) => typeof n === "number" && n);
          return { is: "pieces", counts, types: type.keys };
        }
        case "amounts": {
          const rows = keysOf(type.keys);
          return { is: "pieces", counts: value.map(([k, n]) => [rows[k], n]), types: type.keys };
        }
      }
      return null;
    }

    label(spec) {
      return spec.label ? this.texts.find(spec.label) || spec.label : "";
    }

    labelOf(spec, ...owners) {
      return this.label(spec) || this.texts.title(...owners.map((owner) => `${owner}.${spec.of}`), spec.of);
    }

    // ---------------------------------------------------------- parts of a picture

    // The parts of a SHOW, its label first; none if nothing has its name or nothing is there.
    show(spec, thing = 0) {
      return this.labelled(spec, this.parts(spec, thing));
    }

    // The same without its label, for a label that has its own column.
    parts(spec, thing = 0, enum_ = "") {
      return piled(this.shown(spec, thing, enum_));
    }

    // The parts of a SHOW behind its label, if it has one and there are some.
    labelled(spec, parts) {
      const label = this.label(spec);
      return parts.length && label ? [part({ text: label, dim: true, role: "label" }), ...parts] : parts;
    }

    // The same without its label, every member for itself.
    shown(spec, thing = 0, enum_ = "") {
      if (spec.of === "id") {
        const type = enum_ ? { is: "member", domain: enum_ } : this.memberType(thing);
        return [this.member(thing, type, spec.form || "id")];
      }
      const found = this.read(spec.of, thing, enum_);
      if (found === null) return [];
      const contents = spec.by && found.is === "value" ? this.countBy(found, spec.by) : [found];
      return inList([...contents].map((content) => this.content(content, spec.form)));
    }

    content(content, form) {
      switch (content.is) {
        case "hidden":
          return this.hidden(content, form);
        case "pieces":
          return this.pieces(content.counts, content.types, form);
        case "members":
          return content.parts.filter(([, one]) => !isEmpty(one)).flatMap(([v, one]) => [
            part({ text: `${this.texts.value(v, content.key)}:`, dim: true, role: "head" }), ...this.content(one, form)]);
      }
      return this.value(content.value, content.type, form);
    }

    hidden({ count, known, type, backs }, form) {
      if (count !== null && (NUMBERS.includes(form) || count === 0)) return [part({ text: String(count) })];
      const text = this.hiddenText(count, backs);
      if (!type || !known.length) return [part({ text, dim: true })];
      return [part({ text: `${text}:`, dim: true, role: "head" }), ...asList(known.map((t) => this.member(t, type, form)))];
    }

    hiddenText(count, backs) {
      const text = this.texts.said.hidden + (count !== null ? ` (${count})` : "");
      return text + (backs.length ? ` [${backs.join(this.texts.engine("and"))}]` : "");
    }

    pieces(counts, types, form) {
      if (NUMBERS.includes(form) || !types.length) return [part({ text: String(total(counts)) })];
      const summed = [...summedUp(counts)];
      if (form === "row") {
        return summed.flatMap(([v, n]) => Array.from({ length: n }, () => this.member(v, types[0], "glyph")));
      }
      const wanted = summed.every(([v]) => this.glyph(v, types[0])) ? "" : "text";
      return asList(summed.filter(([, n]) => n).map(([v, n]) => this.member(v, types[0], wanted, n)));
    }

    value(value, type, form) {
      const items = this.partsOf(value, type);
      if (items === null) {
        if (form === "total") return [part({ text: String(Number(value !== 0)) })];
        if (form === "row" && value === 0) return [];
        return [this.member(value, type, ["row", "number", "counts"].includes(form) ? "" : form)].filter((p) => !isBlank(p));
      }
      if (items.is) return this.pieces(items.counts, items.types, form);
      if (NUMBERS.includes(form)) return [part({ text: String(items.length) })];
      const wanted = form === "text" || form === "face" ? form : "glyph";
      return asList(items.map(([v, t]) => this.member(v, t, wanted)).filter((p) => !isBlank(p)));
    }
  }

  Object.assign(rw, { Reader });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
