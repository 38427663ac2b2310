// The map of `display.yaml` as data (`tools/picture/model/chart.py` and `scale.py`, `tools/display/lattice.py`).
"use strict";
(function (rw) {
  const { part, tenth } = rw;
  const ROOM = 40, MARGIN = 8, SIGN = 0.86, LARGEST_SIGN = 40, SMALL_SIGN = 25, DOT = 7, SHORT_MARK = 3, POINT_HEIGHT = 20;
  const GAP = 2, USUAL_SIZE = [4, 4], CELL = [9, 20], HEX_UNIT = 32, POINTED = 72, SQUARE = 44, FLAT = 0.866;

  const outline = (look) => (look.shape === "circle" || look.shape === "none" ? "point" : look.shape);
  const isPoint = (look) => outline(look) === "point";
  const extent = (look) => look.size || USUAL_SIZE;

  function chart(reader) {
    const shown = reader.plan.shows.map;
    if (!shown) return null;
    const { layers } = shown;
    let placed = [];
    layers.forEach((layer, n) => {
      for (const thing of reader.membersOf(layer.kind)) {
        const at = placeInUnits(reader, layer, thing);
        if (at) placed.push([n, thing, at]);
      }
    });
    const left = placed.length ? Math.max(...placed.map(([n, , [x]]) => x + extent(layers[n].written)[0] / 2)) : 0;
    const lattices = onLattices(reader, layers, placed.length ? left + GAP : 0);
    placed.push(...lattices.placed);
    const unit = placed.length ? unitOf(shown, placed.map(([, , at]) => at)) : [1, 1];
    placed = placed.filter(([n]) => !layers[n].drawn.skip)
      .map(([n, thing, at]) => [n, thing, movedTo(layers[n].drawn, at, unit)]);
    if (!placed.length) return null;
    const board = isBoardOfSigns(shown);
    const most = (board ? LARGEST_SIGN : SMALL_SIGN) / SIGN;
    const room = Math.min(pointRoom(placed.filter(([n]) => isPoint(layers[n].drawn)).map(([, , at]) => at)), most);
    const places = placed.map(([n, thing, at]) => place(reader, layers[n], n, thing, at, unit, room, board));
    const labels = lattices.labels.map(([[x, y], number]) => [x * unit[0], y * unit[1], String(number)]);
    const seen = places.filter((one) => one.form !== "none" || one.lines.length);
    reader.images.add(shown.image);
    if (!seen.length) return null;
    return { ...framed(reader.texts.said.map_title, seen, labels, shown.image, places), ground: shown.ground };
  }

  function movedTo({ shift: [right, down] }, [x, y], unit) {
    return [(x + right) * unit[0], (y + down) * unit[1]];
  }

  function placeInUnits(reader, { places, coordinates }, thing) {
    const id = reader.plan.things.ids[thing];
    if (!coordinates.length) return Object.hasOwn(places, id) ? places[id] : null;
    const found = coordinates.map(({ of }) => reader.read(of, thing));
    const [x, y] = found.map((v) => (v?.is === "value" ? v.value : null));
    return x === null || y === null ? null : [x, y];
  }

  // The distance of the nearest points in a row or column.
  function pointRoom(points) {
    const rows = new Map(), columns = new Map();
    for (const [x, y] of points) {
      rows.set(y, [...(rows.get(y) || []), x]);
      columns.set(x, [...(columns.get(x) || []), y]);
    }
    const gaps = [...rows.values(), ...columns.values()].map(leastGap);
    const known = gaps.filter(Boolean);
    return known.length ? Math.min(...known) : LARGEST_SIGN;
  }

  function place(reader, layer, number, thing, at, unit, room, board) {
    const look = layer.drawn;
    const shown = !layer.show_if || reader.hasContent(layer.show_if.of, thing);
    let lines = shown ? look.lines.map((line) => line.flatMap((spec) => reader.show(spec, thing))) : [];
    lines = lines.filter((line) => line.length);
    const blank = shown ? "" : (look.blank || "").replaceAll("{id}", reader.plan.things.ids[thing]);
    if (blank) lines = [[part({ text: blank, dim: true })]];
    const colour = shown && look.colour ? colouredBy(reader, look.colour, thing) : null;
    const [form, width, height] = formOf(reader, look, lines, shown, unit, room, board);
    const owner = reader.thingByNumber(thing);
    return {
      id: `${number}.${owner.key}`, thing: owner.key, form, x: at[0], y: at[1], width, height, shown,
      colour: colour ? colour.colour : look.ground,
      pattern: colour ? colour.pattern : look.ground ? "plain" : "", lines, changed: false,
      about: [...(colour && colour.name !== owner.name ? [colour.name] : []), ...owner.about],
    };
  }

  function colouredBy(reader, { of }, thing) {
    const found = reader.read(of, thing);
    if (found?.is !== "value" || found.type.is !== "member" || !found.value) return null;
    return reader.thing(found.value, found.type);
  }

  function formOf(reader, look, lines, shown, unit, room, board) {
    const { shape } = look;
    const [across, down] = extent(look);
    if (shape === "circle") {
      const size = Math.min(across * unit[0], down * unit[1]) * SIGN;
      return [shape, size, size];
    }
    if (shape === "pointed") return [shape, across * unit[0], (across * unit[0]) / FLAT];
    if (shape === "none") return [shape, across * unit[0], down * unit[1]];
    if (shape !== "point") {
      return [shown || shape === "hex" || look.ground ? shape : "none", across * unit[0], down * unit[1]];
    }
    if (isOneSign(reader, lines)) {
      const size = !shown && isDot(lines) && !board ? DOT : room * SIGN;
      return ["circle", size, size];
    }
    const width = look.size ? across * unit[0] : room;
    return [look.colour && shown ? "card" : "none", width, POINT_HEIGHT];
  }

  function isOneSign(reader, lines) {
    if (lines.length !== 1 || lines[0].length !== 1) return false;
    const [one] = lines[0];
    if (one.thing) return one.form === "chip" && Array.from(reader.things.get(one.thing).mark).length <= SHORT_MARK;
    const letters = Array.from(one.text).length;
    return letters > 0 && letters <= 2;
  }

  const isDot = (lines) => !/[\p{L}\p{N}]/u.test(lines[0].map((p) => (p.thing ? "" : p.text)).join(""));

  // The places in a frame; `everywhere`: also those that are not seen, which an image lies below.
  function framed(title, places, labels, image, everywhere) {
    const around = image ? everywhere : places;
    const left = Math.min(...around.map((p) => p.x - p.width / 2)) - MARGIN;
    const top = Math.min(...around.map((p) => p.y - p.height / 2), ...labels.map(([, y]) => y - 14)) - MARGIN;
    const right = Math.max(...around.map((p) => p.x + p.width / 2)) + MARGIN;
    const bottom = Math.max(...around.map((p) => p.y + p.height / 2)) + MARGIN;
    const moved = places.map((p) => ({ ...p, x: tenth(p.x - left), y: tenth(p.y - top), width: tenth(p.width),
      height: tenth(p.height) }));
    const shifted = labels.map(([x, y, text]) => [tenth(x - left), tenth(y - top), text]);
    return { title, width: tenth(right - left), height: tenth(bottom - top), places: moved, labels: shifted, image };
  }

  // ------------------------------------------------------------ the size of a unit

  function unitOf(shown, places) {
    if (shown.unit) return shown.unit;
    const layers = shown.layers.filter((layer) => !layer.drawn.skip);
    if (layers.some((layer) => outline(layer.written) === "hex")) return [HEX_UNIT, HEX_UNIT * FLAT];
    const pointed = layers.map((layer) => layer.drawn).filter((look) => look.shape === "pointed");
    if (pointed.length && !isBoardOfSigns(shown)) {
      const [width, height] = extent(pointed[0]);
      return [POINTED / width, POINTED / FLAT / height];
    }
    if (isBoardOfSigns(shown)) {
      const [across, down, shifted] = pitches(places);
      return [SQUARE / across, (SQUARE * (shifted ? FLAT : 1)) / down];
    }
    const [columns, rows] = shown.scale;
    return [columns * CELL[0], rows * CELL[1]];
  }

  function isBoardOfSigns(shown) {
    const layers = shown.layers.filter((layer) => !layer.drawn.skip);
    const forms = layers.flatMap((layer) => layer.drawn.lines.flat()).map((spec) => spec.form);
    const isSigns = forms.includes("glyph") && forms.every((form) => !form || form === "glyph");
    return isSigns && layers.every((layer) => isPoint(layer.written));
  }

  function pitches(places) {
    const rows = new Map();
    for (const [x, y] of places) rows.set(y, [...(rows.get(y) || []), x]);
    const all = [...rows.values()];
    let across = all.length === 1 ? leastGap(all[0]) : 0;
    const gaps = all.map(leastGap).filter(Boolean);
    across = across || (gaps.length ? Math.min(...gaps) : 1);
    const down = leastGap([...rows.keys()]) || 1;
    const first = new Set(all.map((xs) => ((Math.min(...xs) % across) + across) % across));
    return [across, down, first.size > 1];
  }

  function leastGap(numbers) {
    const ordered = [...new Set(numbers)].sort((a, b) => a - b);
    const gaps = ordered.slice(1).map((after, n) => after - ordered[n]);
    return gaps.length ? Math.min(...gaps) : 0;
  }

  // ------------------------------------------------------------ lattices

  function onLattices(reader, layers, left) {
    const sheets = new Map();
    layers.forEach((layer, number) => {
      for (const [thing, name, cell] of cellsOf(reader, layer)) {
        const domain = reader.plan.domains[name];
        const [column, row, sheet = 0] = domain.lattice.cells[cell - domain.values[0]];
        const key = `${name} ${sheet}`;
        if (!sheets.has(key)) sheets.set(key, sheetOf(reader, layers, name, domain.lattice, sheet));
        const { things } = sheets.get(key);
        const at = `${column},${row}`;
        if (!things.has(at)) things.set(at, { column, row, here: [] });
        things.get(at).here.push([number, thing]);
      }
    });
    const placed = [], labels = [];
    let x = left, y = 0, bottom = 0;
    const order = [...sheets.values()].sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (const sheet of order) {
      const places = placesOf(sheet);
      const [width, height] = sheet.size;
      const start = [Math.min(...places.map(({ at }) => at[0])), Math.min(...places.map(({ at }) => at[1]))];
      const wide = Math.max(...places.map(({ at }) => at[0])) - start[0] + width;
      if (x > left && x + wide > left + ROOM) {
        x = left;
        y = bottom + GAP;
      }
      labels.push([[x - width / 2, y - height / 2], sheet.number]);
      for (const { at: [a, b], here } of places) {
        for (const [n, thing] of here) placed.push([n, thing, [x + a - start[0], y + b - start[1]]]);
      }
      bottom = Math.max(bottom, y + Math.max(...places.map(({ at }) => at[1])) - start[1] + height);
      x += wide + GAP;
    }
    placed.sort(([a], [b]) => a - b);
    return { placed, labels: sheets.size > 1 ? labels : [] };
  }

  function sheetOf(reader, layers, name, lattice, number) {
    const looks = layers.filter((layer) => latticeOf(reader, layer) === name).map((layer) => layer.written);
    const slanted = lattice.shape === "hex" && looks.some((look) => outline(look) === "hex");
    const sizes = looks.map(extent);
    const size = [Math.max(...sizes.map(([w]) => w)), Math.max(...sizes.map(([, h]) => h))];
    return { name, lattice, number, slanted, size, things: new Map() };
  }

  function placesOf({ lattice, slanted, size: [width, height], things }) {
    const cells = [...things.values()];
    const columns = unrolled(cells.map((c) => c.column), lattice.columns, lattice.wraps);
    const rows = unrolled(cells.map((c) => c.row), lattice.rows, lattice.wraps);
    return cells.map(({ column, row, here }) => {
      const [c, r] = [columns.get(column), rows.get(row)];
      const shift = lattice.shape === "hex" ? (r * width) / 2 : 0;
      return { here, at: slanted ? [3 * c, 2 * c + 4 * r] : [c * width + shift, r * height] };
    });
  }

  // Coordinates in one row: where they go round, the longest gap between those that are used is the end.
  function unrolled(used, [low, high], wraps) {
    const known = [...new Set(used)].sort((a, b) => a - b);
    if (!wraps || !known.length) return new Map(known.map((n) => [n, n]));
    const size = high - low + 1;
    const gaps = known.map((n, i) => [(i + 1 < known.length ? known[i + 1] : known[0] + size) - n, n]);
    const longest = Math.max(...gaps.map(([gap]) => gap));
    const end = gaps.at(-1)[0] === longest ? known.at(-1) : gaps.find(([gap]) => gap === longest)[1];
    return new Map(known.map((n) => [n, n <= end ? n : n - size]));
  }

  function latticeOf(reader, { kind, on }) {
    if (reader.plan.domains[kind]?.lattice) return kind;
    const things = on ? reader.membersOf(kind) : [];
    const found = things.length ? reader.read(on.of, things[0]) : null;
    if (found?.is !== "value") return "";
    const type = found.type.is === "set" ? found.type.item : found.type;
    return type.is === "member" ? type.domain : "";
  }

  function cellsOf(reader, { kind, on, show_if: showIf, written }) {
    const domain = reader.plan.domains[kind];
    if (domain?.lattice) {
      const shown = domain.values.filter((cell) =>
        written.blank !== null || (showIf && reader.hasContent(showIf.of, cell)));
      return shown.map((cell) => [cell, kind, cell]);
    }
    const found = [];
    for (const thing of on ? reader.membersOf(kind) : []) {
      const place = reader.read(on.of, thing);
      if (place?.is !== "value") continue;
      if (place.type.is === "member" && place.value) found.push([thing, place.type.domain, place.value]);
      if (place.type.is === "set" && place.type.item.is === "member") {
        found.push(...place.value.map((cell) => [thing, place.type.item.domain, cell]));
      }
    }
    return found;
  }

  Object.assign(rw, { chart });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
