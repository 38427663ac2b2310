// A position as the model of a picture: the same plain data as `tools/picture/model` gives for the same reader.
"use strict";
(function (rw) {
  const { AT, Reader, part, showOf, boundsOf, spoken, plain, bare, piled, runsOf, asList } = rw;
  const HAND = "reader.hand"; // the id of the panel of cards that only their reader sees
  const FEW = 3; // constants on a card that says nothing else about itself
  const MOST_ROWS = 40; // of a table of everything; longer ones leave out what is empty
  const MOST_SPACES = 1000; // of a track; one with more is not drawn
  const PLAIN_FACE = { colour: "", band: null, corner: null, facts: null }; // of a kind of which nothing is said
  const nothing = (text) => part({ text, dim: true });

  // The picture of the store in memory. `asked`: the seat that is asked (0: none), `question`: the words of the
  // question, for the reader whom it is for.
  function pictureOf(module, texts, seat, { asked, question, over }) {
    const reader = new Reader(module, texts, seat, asked);
    const chart = rw.chart(reader);
    const panels = panelsOf(reader);
    const own = hand(reader, new Set(reader.cards.keys()));
    const faces = {};
    for (const [key, thing] of [...reader.cards]) faces[key] = faceOf(reader, thing);
    return {
      lang: texts.lang,
      title: texts.said.title,
      reader: readerText(reader),
      headings: headings(reader),
      asked: askedText(reader, asked, question, over),
      chart,
      panels: (own ? [own, ...panels] : panels).map((one) => withPiles(one, reader.things, faces)),
      legend_title: texts.said.legend_title,
      legend: legend(reader),
      signs: chart ? texts.said.signs : [],
      things: Object.fromEntries(reader.things),
      faces,
      drawings: drawings(reader),
      prefix: "",
    };
  }

  // A panel in which cards that look alike and lie behind one another are one card with their number, which names those
  // below it (`tools/picture/model/piles.py`).
  function withPiles(panel, things, faces) {
    const looks = (p, n) => {
      if (p.form !== "face" || p.count !== null || !Object.hasOwn(faces, p.thing)) return n;
      return JSON.stringify([p.thing.split(".", 1)[0], things.get(p.thing).name, faces[p.thing]]);
    };
    const pile = (parts) => runsOf(parts, looks).map(([first, ...others]) => {
      if (!others.length) return first;
      return { ...first, count: 1 + others.length, below: others.map((p) => p.thing), more: others.at(-1).more };
    });
    if (panel.sort === "facts") {
      const rows = (block) => block.rows.map((row) => row.map((fact) => ({ ...fact, parts: pile(fact.parts) })));
      return { ...panel, blocks: panel.blocks.map((block) => ({ ...block, rows: rows(block) })) };
    }
    if (panel.sort === "track") return panel;
    return { ...panel, rows: panel.rows.map((row) => ({ ...row, cells: row.cells.map(pile) })) };
  }

  // The drawings that something is shown with.
  function drawings(reader) {
    const known = reader.plan.shows.drawings;
    return Object.fromEntries(Object.keys(known).filter((name) => reader.images.has(name)).map((name) => [name, known[name]]));
  }

  function readerText(reader) {
    const said = reader.texts.said.picture;
    return reader.seat ? spoken(said.for_seat, { who: reader.nameText(reader.module.seatThing(reader.seat)) }) : said.onlooker;
  }

  function askedText(reader, asked, question, over) {
    const said = reader.texts.said.picture;
    if (over) return said.over;
    if (!asked) return "";
    return asked === reader.seat ? question() : spoken(said.asked, { who: reader.nameText(reader.module.seatThing(asked)) });
  }

  // The phases that run, the outermost first, without the game itself.
  function headings(reader) {
    const { words, plan, texts } = reader;
    const found = [];
    for (let base = words[AT.FP]; base; base = words[base + 1]) {
      const number = words[base + 2] >= 0 ? words[base + 2] : ~words[base + 2];
      if (plan.phases[number] && number !== plan.entry) found.push(plan.phases[number]);
    }
    return found.reverse().map((name) => {
      const text = texts.find(`${name}.title`) ?? (texts.find(name) || name).replaceAll("_", " ");
      return text.replace(/\{(\w+)(?:\(\))?\}/g, (whole, of) => plain(reader, showOf(of, "text")));
    }).filter(Boolean);
  }

  // The things shown by their letters, kind by kind in the order of the file; not those whose name stands there anyway.
  function legend(reader) {
    const order = Object.keys(reader.signs);
    const place = (key) => (order.indexOf(key.split(".", 1)[0]) + 1 || order.length + 1);
    const keys = [...reader.chips.keys()].filter((key) => reader.things.get(key).mark !== reader.things.get(key).name);
    return keys.sort((a, b) => place(a) - place(b));
  }

  // ------------------------------------------------------------ panels

  function panelsOf(reader) {
    const { panels } = reader.plan.shows;
    const found = panels === null ? plainPanels(reader)
      : panels.filter((spec) => spec.only !== "terminal").map((spec) => panel(reader, spec));
    return found.filter((one) => one !== null);
  }

  function panel(reader, spec) {
    const own = spec.title && (reader.texts.find(spec.title) || spec.title);
    const found = CONTENTS[spec.is](reader, spec.id, own || reader.texts.title(`display.${spec.id}`, spec.id), spec.content);
    return found && { ...found, side: spec.side };
  }

  // How each sort of content is read.
  const CONTENTS = {
    FactList: (reader, id, title, { shows }) => listed(reader, id, title, shows),
    FactRows(reader, id, title, content) {
      const blocks = blocksOf(reader, content);
      return blocks.length ? facts(id, title, blocks) : null;
    },
    MemberTable(reader, id, title, { per, columns, cards: asCards }) {
      const values = members(reader, per);
      if (asCards && reader.plan.things.kinds.includes(per.kind)) return cards(reader, id, title, values, columns);
      return table(reader, id, title, per.kind, values, columns);
    },
    LaneTrack: (reader, id, title, content) => track(reader, id, title, content),
    SpaceTrack: (reader, id, title, content) => spaces(reader, id, title, content),
    MemberGroups: (reader, id, title, content) => groups(reader, id, title, content),
  };

  const facts = (id, title, blocks) => ({ id, title, blocks, sort: "facts", side: "" });

  const enumOf = (reader, kind) => (reader.plan.domains[kind]?.sort === "enum" ? kind : "");

  function members(reader, { kind, where }) {
    const enum_ = enumOf(reader, kind);
    const values = enum_ ? reader.plan.domains[kind].values : reader.membersOf(kind);
    return values.filter((v) => !where || reader.hasContent(where.of, v, enum_));
  }

  function listed(reader, id, title, specs) {
    const rows = specs.map((spec) => {
      const parts = reader.parts(spec);
      return [{ label: reader.labelOf(spec), parts: parts.length ? parts : [nothing("–")] }];
    });
    return facts(id, title, [{ title: [], rows }]);
  }

  function blocksOf(reader, { rows: shown, per }) {
    if (!per) {
      const rows = factRows(reader, shown, 0, "");
      return rows.length ? [{ title: [], rows }] : [];
    }
    const blocks = [];
    for (const thing of members(reader, per)) {
      const rows = factRows(reader, shown, thing, per.kind);
      if (rows.length) blocks.push({ title: [reader.name(thing)], rows });
    }
    return blocks;
  }

  function factRows(reader, specs, thing, kind) {
    const rows = [];
    for (const several of specs) {
      const row = [];
      for (const spec of several) {
        if (!reader.hasContent(spec.where || "id", thing)) continue;
        const shown = reader.parts(spec, thing);
        if (!shown.length) continue;
        row.push({ label: reader.labelOf(spec, "display", ...(kind ? [kind] : [])), parts: shown });
      }
      if (row.length) rows.push(row);
    }
    return rows;
  }

  function table(reader, id, title, kind, values, columns) {
    if (!reader.plan.domains[kind] || !values.length) return null;
    const enum_ = enumOf(reader, kind);
    const heads = columns.map((c) => reader.labelOf(c, "display", kind));
    const rows = values.map((value) => {
      const head = reader.member(value, { is: "member", domain: kind }, "name");
      return { head: [head], cells: columns.map((c) => reader.parts(c, value, enum_)) };
    });
    return { id, title, heads, rows, sort: "table", side: "" };
  }

  function cards(reader, id, title, values, columns) {
    if (!values.length) return null;
    const parts = values.map((thing) => {
      const found = reader.member(thing, reader.memberType(thing), "face");
      reader.cardFacts.set(found.thing, columns);
      return found;
    });
    return facts(id, title, [{ title: [], rows: [[{ label: "", parts }]] }]);
  }

  function groups(reader, id, title, { kind, by, cells: specs, in_line: inLine }) {
    const found = new Map();
    for (const thing of reader.membersOf(kind)) {
      const name = plain(reader, by, thing);
      const cells = cellParts(reader, specs, thing);
      const head = reader.show(by, thing);
      if (!cells.length && inLine) continue;
      if (!found.has(name)) found.set(name, [head, []]);
      found.get(name)[1].push(cells.length ? cells : [nothing("–")]);
    }
    const names = [...found.keys()];
    if (names.every((name) => /^\d+$/.test(name))) names.sort((a, b) => a - b);
    const rows = names.map((name) => ({ head: found.get(name)[0], cells: found.get(name)[1] }));
    return rows.length ? { id, title, rows, sort: "groups", side: "", flow: inLine ? "line" : "" } : null;
  }

  // What a thing of a group shows; what stands in the corner of a card beside it is not shown twice.
  function cellParts(reader, specs, thing) {
    const shown = specs.map((spec) => [bare(reader, spec, thing), reader.show(spec, thing)]);
    const keys = shown.flatMap(([, parts]) => parts).filter((p) => p.form === "face").map((p) => p.thing);
    const corners = new Set(keys.map((key) => faceOf(reader, reader.cards.get(key)).corner));
    return shown.filter(([text]) => !corners.has(text)).flatMap(([, parts]) => parts);
  }

  function track(reader, id, title, { per, marker: shown, borders: begun, labels: printed }) {
    const things = members(reader, per);
    const marked = things.length ? reader.read(shown.of, things[0]) : null;
    if (marked?.is !== "value") return null;
    const lanes = [];
    for (const thing of things) {
      const marker = reader.read(shown.of, thing);
      if (marker?.is !== "value" || typeof marker.value !== "number") continue;
      const borders = new Set();
      for (const one of begun) for (const [, n] of numbers(reader, one, thing)) if (n) borders.add(n);
      const labels = new Map();
      for (const [at, n] of numbers(reader, printed, thing)) if (n) labels.set(at, String(n));
      const head = reader.name(thing);
      lanes.push({ head: [head], thing: head.thing, at: marker.value, borders: [...borders].sort((a, b) => a - b),
        labels: [...labels].sort(([a], [b]) => a - b) });
    }
    const [low, high] = boundsOf(marked.type);
    if (!lanes.length || high - low >= MOST_SPACES) return null;
    return { id, title, low, high, lanes, sort: "track", side: "", step: 0 };
  }

  // One track for all: from its least to its most, or as far as a marker has gone.
  function spaces(reader, id, title, { per, at: shown, first, last, step }) {
    const found = members(reader, per).map((thing) => [thing, amount(reader.read(shown.of, thing))])
      .filter(([, at]) => at !== null);
    const ends = [first, last].map((end) => (typeof end === "number" ? end : amount(reader.read(end.of))));
    if (!found.length || ends.includes(null)) return null;
    const lanes = found.map(([thing, at]) => {
      const head = reader.name(thing);
      return { head: [head], thing: head.thing, at, borders: [], labels: [] };
    });
    const marks = found.map(([, at]) => at);
    const [low, high] = [Math.min(ends[0], ...marks), Math.max(ends[1], ...marks)];
    if (high - low >= MOST_SPACES) return null;
    return { id, title, low, high, lanes, sort: "track", side: "", step };
  }

  // A number, or how many pieces there are; null where it is neither, or not to be seen.
  function amount(content) {
    if (content?.is === "value" && typeof content.value === "number") return content.value;
    return content?.is === "pieces" ? content.counts.reduce((sum, [, n]) => sum + n, 0) : null;
  }

  function numbers(reader, spec, thing) {
    const found = spec === null ? null : reader.read(spec.of, thing);
    if (found?.is !== "value") return [];
    if (found.type.is === "map") {
      const first = boundsOf(found.type.keys[0])[0];
      return found.value.map((v, n) => [first + n, v]).filter(([, v]) => typeof v === "number");
    }
    return typeof found.value === "number" ? [[found.value, found.value]] : [];
  }

  function plainPanels(reader) {
    const [symbols, kinds] = reader.plan.plain;
    const { texts } = reader;
    const found = [];
    const rows = symbols.map((s) => [{ label: texts.title(s), parts: reader.show(showOf(s)) }])
      .filter(([fact]) => fact.parts.length);
    if (rows.length) found.push(facts("game", texts.title("display.game", "game"), [{ title: [], rows }]));
    for (const [kind, names] of Object.entries(kinds)) {
      let things = reader.membersOf(kind);
      const used = names.filter((name) => things.some((t) => reader.hasContent(name, t)));
      if (things.length > MOST_ROWS) things = things.filter((t) => used.some((name) => reader.hasContent(name, t)));
      if (used.length) found.push(table(reader, kind, texts.title(`kind.${kind}`, kind), kind, things, used.map((name) => showOf(name))));
    }
    return found;
  }

  // ------------------------------------------------------------ cards

  function faceOf(reader, thing) {
    const { plan, texts } = reader;
    const kind = reader.kindOf(thing);
    const face = plan.shows.faces[kind] || PLAIN_FACE;
    const constants = (plan.consts[kind] || []).filter((name) => reader.hasContent(name, thing)).slice(0, FEW);
    const specs = face.facts || constants.map((name) => showOf(name));
    const more = reader.cardFacts.get(reader.thingByNumber(thing).key) || [];
    const told = new Set([...specs, face.corner, face.band].filter(Boolean).map((spec) => spec.of));
    const found = [];
    for (const spec of [...specs, ...more.filter((spec) => !told.has(spec.of))]) {
      if (!reader.hasContent(spec.of, thing)) continue;
      const parts = reader.parts(spec, thing);
      if (parts.length) found.push({ label: reader.labelOf(spec, "display", kind), parts });
    }
    const corner = face.corner ? plain(reader, showOf(face.corner.of, "text"), thing) : "";
    return { corner, band: band(reader, face, thing), facts: found, text: texts.said.printed[thing] || "",
      changed: false };
  }

  // The colour of the head of a card: that of a member that it names, else that of its kind, else its own.
  function band(reader, face, thing) {
    if (face.band) {
      const found = reader.read(face.band.of, thing);
      if (found?.is === "value" && found.type.is === "member" && found.value) return reader.thing(found.value, found.type).colour;
    }
    return face.colour || reader.thingByNumber(thing).colour;
  }

  // What lies in zones that the reader sees and an onlooker does not, as cards, without those shown already.
  function hand(reader, shown) {
    const rows = [];
    for (const entry of reader.seat ? reader.plan.layout : []) {
      if (entry.sort !== "zone" || entry.audience === "all" || entry.audience === "nobody") continue;
      const name = entry.symbol.slice(entry.symbol.lastIndexOf(".") + 1);
      for (const holder of entry.owned ? reader.membersOf(entry.symbol.split(".", 1)[0]) : [0]) {
        if (reader.seesCell(entry, holder, 0) || !reader.seesCell(entry, holder)) continue;
        const things = reader.contents(name, holder).filter((t) => !shown.has(reader.thingByNumber(t).key));
        const parts = piled(asList(things.map((t) => reader.member(t, reader.memberType(t), "face"))));
        if (parts.length) rows.push([{ label: reader.texts.title(entry.symbol, name), parts }]);
      }
    }
    return rows.length ? facts(HAND, reader.texts.said.picture.hand, [{ title: [], rows }]) : null;
  }

  Object.assign(rw, { pictureOf });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
