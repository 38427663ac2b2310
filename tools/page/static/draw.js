// The model of a picture as elements: the map as SVG, panels as tables and lists. Texts are only ever set as text, so
// nothing that stands in a ruleset becomes an element.
"use strict";
(function (rw) {
  const SVG = "http://www.w3.org/2000/svg";
  const DARK = "#1b1d18", LIGHT = "#ffffff", BAND = "#8a8578";
  const TOKEN = 19, DOT = 16, SIGN = 0.72;
  const COMMA = { ja: "、" };
  const ROOM_ON = { cube: [0.72, 0.1, -0.1], pawn: [0.5, 0.25, 0], triangle: [0.5, 0.18, 0], star: [0.55, 0.04, 0],
    diamond: [0.62, 0, 0] };

  // An element with attributes and children: elements, texts, nothing, or rows of these.
  function tag(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
  }

  function svg(name, attributes = {}, ...children) {
    return filled(document.createElementNS(SVG, name), attributes, children);
  }

  function filled(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false || value === "") continue;
      if (key === "style") Object.assign(element.style, value);
      else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key === "class_" ? "class" : key, value === true ? "" : value);
    }
    for (const child of children.flat(Infinity)) {
      if (child !== null && child !== undefined && child !== "") element.append(child);
    }
    return element;
  }

  // Dark or light, whichever is easier to read on a colour.
  function inkOn(colour) {
    const linear = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    const light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? DARK : LIGHT;
  }

  const isColour = (text) => /^#[0-9a-fA-F]{6}$/.test(text);

  // ------------------------------------------------------------ tokens

  const points = (list) => list.map(([x, y]) => `${x},${y}`).join(" ");

  function hexPoints(x, y, width, height) {
    const a = width / 2, b = width / 4, h = height / 2;
    return points([[x + a, y], [x + b, y + h], [x - b, y + h], [x - a, y], [x - b, y - h], [x + b, y - h]]);
  }

  function pointedPoints(x, y, width, height) {
    const a = width / 2, b = height / 4, h = height / 2;
    return points([[x, y - h], [x + a, y - b], [x + a, y + b], [x, y + h], [x - a, y + b], [x - a, y - b]]);
  }

  function outline(icon, x, y, width, size, looks) {
    const h = size / 2;
    const polygon = (...list) => svg("polygon", { points: points(list), ...looks });
    switch (icon) {
      case "disc":
        return svg("circle", { cx: x, cy: y, r: h, ...looks });
      case "diamond":
        return polygon([x, y - h * 1.1], [x + h * 1.1, y], [x, y + h * 1.1], [x - h * 1.1, y]);
      case "triangle":
        return polygon([x, y - h], [x + h * 1.1, y + h * 0.9], [x - h * 1.1, y + h * 0.9]);
      case "hexagon":
        return svg("polygon", { points: hexPoints(x, y, size * 1.1, size), ...looks });
      case "star":
        return polygon(...Array.from({ length: 10 }, (_, n) => {
          const r = n % 2 ? (size * 1.15) / 3.4 : (size * 1.15) / 2, a = (n * Math.PI) / 5 - Math.PI / 2;
          return [x + r * Math.cos(a), y + r * Math.sin(a)];
        }));
      case "pawn":
        return svg("g", {}, polygon([x - h * 0.3, y - h * 0.35], [x + h * 0.3, y - h * 0.35], [x + h * 0.9, y + h],
          [x - h * 0.9, y + h]), svg("circle", { cx: x, cy: y - h * 0.6, r: h * 0.4, ...looks }));
      case "cube": {
        const left = x - h, top = y - h * 0.6, right = x + h * 0.6, bottom = y + h, d = h * 0.4;
        return svg("g", {}, polygon([left, top], [left + d, top - d], [right + d, top - d], [right, top]),
          polygon([right, top], [right + d, top - d], [right + d, bottom - d], [right, bottom]),
          svg("rect", { x: left, y: top, width: right - left, height: bottom - top, ...looks }));
      }
    }
    return svg("rect", { x: x - width / 2, y: y - h, width, height: size, rx: size * 0.22, ...looks });
  }

  const wideLetters = (text, size) =>
    Array.from(text).reduce((sum, c) => sum + (c.codePointAt(0) > 0x2e80 ? 1 : /[MWmw]/.test(c) ? 0.9 : 0.64), 0) * size;

  function tokenWidth(thing, size) {
    return thing.icon && thing.icon !== "square" ? size : Math.max(size, wideLetters(thing.mark, size * SIGN) + size * 0.4);
  }

  // A drawing of the ruleset within this room: four elements, made anew from plain data.
  function drawing(data, x, y, width, height, ink, stretched = false) {
    const elements = (shapes) => shapes.filter((shape) => ["path", "circle", "rect", "g"].includes(shape.is)).map((shape) => {
      const looks = Object.entries(shape).filter(([key]) => key !== "is" && key !== "shapes");
      return svg(shape.is, Object.fromEntries(looks.map(([key, value]) => [key, value === "currentColor" ? ink : value])),
        elements(shape.shapes || []));
    });
    return svg("svg", { viewBox: data.box.join(" "), x, y, width, height, preserveAspectRatio: stretched ? "none" : null },
      svg("g", { fill: ink }, elements(data.shapes)));
  }

  // A token with its letters or its drawing; `bare`: without the outline, where the place is the token.
  function token(picture, thing, x, y, size, isBare = false) {
    const colour = isColour(thing.colour) ? thing.colour : "";
    const looks = colour ? { fill: colour, class_: "edge" } : { class_: "box edge" };
    const width = tokenWidth(thing, size);
    let letters = size * SIGN;
    let [room, down, right] = [0.86, 0, 0];
    if (thing.icon && thing.icon !== "square") {
      [room, down, right] = ROOM_ON[thing.icon] || [room, down, right];
      letters = Math.min(letters, (letters * size * room) / Math.max(wideLetters(thing.mark, letters), 1), size * room);
    }
    const data = Object.hasOwn(picture.drawings, thing.icon) ? picture.drawings[thing.icon] : null;
    if (data) {
      const inside = size * 0.8;
      return svg("g", {}, isBare ? null : outline(thing.icon, x, y, width, size, looks),
        drawing(data, x - inside / 2, y - inside / 2, inside, inside, colour ? inkOn(colour) : "currentColor"));
    }
    const text = svg("text", { x: x + right * size, y: y + down * size + letters * 0.35, "font-size": letters,
      "font-weight": 600, "text-anchor": "middle", class_: "ink", style: colour ? { fill: inkOn(colour) } : null }, thing.mark);
    return svg("g", {}, isBare ? null : outline(thing.icon, x, y, width, size, looks), thing.mark ? text : null);
  }

  function tokenSvg(picture, thing, size, named = true) {
    const width = tokenWidth(thing, size);
    const looks = named ? { role: "img", "aria-label": thing.name } : { "aria-hidden": "true" };
    return svg("svg", { viewBox: `-2 -2 ${width + 4} ${size + 4}`, width: width + 4, height: size + 4, class_: "rw token",
      ...looks }, token(picture, thing, width / 2, size / 2, size));
  }

  // ------------------------------------------------------------ parts

  function inline(picture, parts) {
    return parts.flatMap((part, n) => [n ? " " : null, partOf(picture, part),
      part.more && (part.form === "" || part.form === "name") ? COMMA[picture.lang] || "," : null]);
  }

  function partOf(picture, part) {
    const thing = part.thing ? picture.things[part.thing] : undefined;
    const many = part.count === null ? "" : String(part.count);
    if (!thing) {
      const text = part.text + (many ? ` ${many}` : "");
      return part.dim ? tag("span", { class_: "soft" }, text) : text;
    }
    if (part.form === "face" && picture.faces[part.thing]) return card(picture, part, thing);
    const told = [thing.name, ...thing.about].join("\n");
    const data = { "data-thing": thing.key };
    if (part.form === "chip") return tag("span", { class_: "chip", title: told, ...data }, tokenSvg(picture, thing, TOKEN), many);
    const dot = thing.colour ? [tokenSvg(picture, thing, DOT, false), " "] : null;
    return tag("span", { class_: "name", title: thing.about.length ? told : null, ...data }, dot, thing.name,
      many ? ` ${many}` : null);
  }

  function card(picture, part, thing) {
    const face = picture.faces[part.thing];
    const band = isColour(face.band) ? face.band : BAND;
    const head = tag("b", { style: { background: band, color: inkOn(band) } },
      thing.name + (part.count === null ? "" : ` ×${part.count}`), face.corner ? tag("i", {}, face.corner) : null);
    const rows = face.facts.map((fact) => tag("span", { class_: "row" }, tag("span", { class_: "soft" }, fact.label),
      tag("span", {}, inline(picture, fact.parts))));
    return tag("span", { class_: "card", title: thing.about.join("\n"), "data-thing": thing.key }, head, rows,
      face.text ? tag("span", {}, face.text) : null);
  }

  // ------------------------------------------------------------ panels

  function panelOf(picture, panel) {
    switch (panel.sort) {
      case "facts":
        return panel.blocks.map((block) => [
          block.title.length ? tag("h3", {}, inline(picture, block.title)) : null,
          block.rows.map((row) => tag("p", { class_: "facts" }, row.map((fact) => tag("span", { class_: "fact" },
            fact.label ? tag("span", { class_: "soft" }, fact.label) : null, " ", inline(picture, fact.parts))))),
        ]);
      case "table": {
        const used = panel.heads.map((_, n) => n).filter((n) => panel.rows.some((row) => row.cells[n].length));
        const head = tag("tr", {}, tag("td"), used.map((n) => tag("th", { scope: "col" }, panel.heads[n])));
        const rows = panel.rows.map((row) => tag("tr", {}, tag("th", { scope: "row" }, inline(picture, row.head)),
          used.map((n) => tag("td", {}, inline(picture, row.cells[n])))));
        return wide(tag("table", {}, tag("thead", {}, head), tag("tbody", {}, rows)));
      }
      case "groups":
        if (panel.flow) {
          return tag("div", { class_: "line", tabindex: "0" }, panel.rows.flatMap((row) => row.cells.map((cell) =>
            tag("span", {}, tag("span", { class_: "soft" }, inline(picture, row.head)), tag("span", {}, inline(picture, cell))))));
        }
        return wide(tag("table", {}, tag("tbody", {}, panel.rows.map((row) => tag("tr", {},
          tag("th", { scope: "row" }, inline(picture, row.head)),
          tag("td", {}, row.cells.map((cell) => tag("span", { class_: "cell" }, inline(picture, cell)))))))));
    }
    if (panel.step) return openTrack(picture, panel);
    const spaces = Array.from({ length: panel.high - panel.low + 1 }, (_, n) => panel.low + n);
    const head = tag("tr", {}, tag("td"), spaces.map((n) => tag("th", { scope: "col" }, String(n))));
    const rows = panel.lanes.map((lane) => {
      const labels = new Map(lane.labels);
      const cells = spaces.map((n) => tag("td", { class_: lane.borders.includes(n) ? "border" : null },
        n === lane.at ? tokenSvg(picture, picture.things[lane.thing], TOKEN) : null, labels.get(n)));
      return tag("tr", {}, tag("th", { scope: "row" }, inline(picture, lane.head)), cells);
    });
    return wide(tag("table", { class_: "track" }, tag("thead", {}, head), tag("tbody", {}, rows)));
  }

  // The spaces of a track that all markers are on, in rows that the window wraps.
  function openTrack(picture, panel) {
    const spaces = Array.from({ length: panel.high - panel.low + 1 }, (_, n) => panel.low + n).map((n) => {
      const lanes = panel.lanes.filter((lane) => lane.at === n);
      const isNamed = lanes.length || n % panel.step === 0 || n === panel.low || n === panel.high;
      const markers = lanes.map((lane) => {
        const thing = picture.things[lane.thing];
        const shown = { ...thing, icon: thing.icon || "disc", mark: thing.mark || thing.name.slice(0, 1) };
        return tag("span", { "data-thing": thing.key, title: `${thing.name}: ${n}` }, tokenSvg(picture, shown, 15));
      });
      return tag("span", { class_: "space" }, tag("span", { class_: lanes.length ? null : "soft" }, isNamed ? String(n) : "\u00a0"),
        markers);
    });
    return tag("div", { class_: "spaces" }, spaces);
  }

  const wide = (table) => tag("div", { class_: "wide", tabindex: "0" }, table);

  const section = (id, title, inside, hidden = false, side = "") =>
    tag("section", { id, class_: side ? `side-${side}` : null }, tag("h2", { class_: hidden ? "hidden" : null }, title), inside);

  // ------------------------------------------------------------ the map

  function patterns(strokes) {
    const found = [];
    for (const [shade, colour] of [["dark", "#000000"], ["light", LIGHT]]) {
      for (const [name, [path, spots]] of Object.entries(strokes)) {
        const ring = name === "rings";
        const inside = spots.map((spot) => {
          const [cx, cy] = spot.split(" ");
          return svg("circle", { cx, cy, r: ring ? 2.4 : 1, fill: ring ? "none" : colour, stroke: ring ? colour : null });
        });
        if (path) inside.push(svg("path", { d: path, fill: "none", stroke: colour }));
        found.push(svg("pattern", { id: `${name}-${shade}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
          svg("g", { opacity: 0.22 }, inside)));
      }
    }
    return svg("defs", {}, found);
  }

  function mapOf(picture, strokes) {
    const { chart } = picture;
    const image = Object.hasOwn(picture.drawings, chart.image) ? picture.drawings[chart.image] : null;
    const below = image && drawing(image, 8, 8, chart.width - 16, chart.height - 16, "#23261f", true);
    const ground = isColour(chart.ground)
      ? svg("rect", { width: chart.width, height: chart.height, rx: 10, fill: chart.ground, "fill-opacity": 0.3 }) : null;
    return svg("svg", { viewBox: `0 0 ${chart.width} ${chart.height}`, width: chart.width, role: "img", class_: "rw map",
      "aria-label": chart.title }, patterns(strokes), ground, below, chart.places.map((place) => shape(place, Boolean(below))), chart.labels.map(([x, y, text]) =>
      svg("text", { x, y: y - 3, "font-size": 12, "font-weight": 600, class_: "soft" }, text)),
    chart.places.map((place) => written(picture, place)));
  }

  const isSign = (place) => place.lines.length === 1 && place.lines[0].length === 1 && place.lines[0][0].form === "chip";

  function shape(place, onImage) {
    if (place.form === "none" || (place.form === "circle" && isSign(place) && !place.colour)) return null;
    if (onImage && !place.shown) return null;
    const colour = isColour(place.colour) ? place.colour : "";
    const pattern = colour && place.pattern && place.pattern !== "plain"
      ? `url(#${place.pattern}-${inkOn(colour) === DARK ? "dark" : "light"})` : "";
    if (place.form === "tab") {
      const x = place.x - place.width / 2 + 1.5, y = place.y - place.height / 2 + 1.5, width = place.width - 3;
      const edge = (fill) => svg("rect", { x, y, width, height: 5, rx: 2, fill });
      return [svg("rect", { x, y, width, height: place.height - 3, rx: 3, class_: "box line" }),
        colour ? edge(colour) : null, pattern ? edge(pattern) : null];
    }
    if (!place.shown && !colour) return bare(place, { class_: "line", style: { fill: "none" }, "stroke-dasharray": "3 3" });
    return [bare(place, colour ? { class_: "edge", fill: colour } : { class_: "box line" }),
      pattern ? bare(place, { fill: pattern }) : null];
  }

  function bare({ form, x, y, width, height }, looks) {
    const all = { "stroke-width": 1.2, ...looks };
    if (form === "hex") return svg("polygon", { points: hexPoints(x, y, width, height), ...all });
    if (form === "pointed") return svg("polygon", { points: pointedPoints(x, y, width, height), ...all });
    if (form === "circle") return svg("circle", { cx: x, cy: y, r: width / 2, ...all });
    return svg("rect", { x: x - width / 2 + 1, y: y - height / 2, width: width - 2, height, rx: 3, ...all });
  }

  // What stands on a place, and the shape that is pointed at.
  function written(picture, place) {
    const thing = picture.things[place.thing];
    const touched = bare(place, { fill: "#000000", "fill-opacity": 0, class_: "touch" });
    const told = svg("title", {}, [thing.name, ...place.about].join("\n"));
    const group = (...inside) => svg("g", { class_: "place", "data-thing": place.thing }, told, inside, touched);
    if (isSign(place) && ["circle", "box", "pointed", "hex"].includes(place.form)) {
      const part = { circle: 1, pointed: 0.78 }[place.form] || 0.8;
      const size = Math.min(place.width, place.height) * part;
      const shown = picture.things[place.lines[0][0].thing];
      const isBare = Boolean(shown.colour) && shown.colour === place.colour;
      return group(token(picture, { ...shown, icon: isBare ? "disc" : shown.icon || "disc" }, place.x, place.y, size, isBare));
    }
    if (place.form === "circle" && (!place.shown || !place.lines.length)) {
      const text = place.lines.flat().map((part) => part.text).join("");
      const size = Math.min(11, place.width * 0.36);
      return group(place.width < 14 ? null : svg("text", { x: place.x, y: place.y + size * 0.35, "font-size": size,
        class_: "soft", "text-anchor": "middle", style: isColour(place.colour) ? { fill: inkOn(place.colour) } : null }, text));
    }
    const filled = isColour(place.colour) && place.form !== "tab" && place.form !== "none";
    const height = place.height * (place.form === "hex" || place.form === "circle" ? 0.86 : 1);
    const width = place.width * ({ hex: 0.8, circle: 0.8, pointed: 0.92 }[place.form] || 1);
    const size = Math.max(8, Math.min(14, height / Math.max(place.lines.length, 1) / 1.35));
    const lines = place.lines.map((line) => tag("div", {}, inline(picture, line)));
    return group(svg("foreignObject", { x: place.x - width / 2, y: place.y - height / 2, width, height },
      tag("div", { class_: place.form === "tab" ? "lines tab" : "lines",
        style: { fontSize: `${size}px`, color: filled ? inkOn(place.colour) : "" } }, lines)));
  }

  // ------------------------------------------------------------ the whole

  // The parts of a picture, in order: map, panels, legend.
  function drawn(picture, strokes) {
    const parts = picture.panels.map((panel) => section(`panel-${panel.id}`, panel.title, panelOf(picture, panel), false,
      panel.side));
    if (picture.chart) parts.unshift(section("map", picture.chart.title, mapOf(picture, strokes), true));
    if (picture.legend.length || picture.signs.length) {
      const items = [...picture.legend.map((key) => tag("span", { class_: "fact" },
        tokenSvg(picture, picture.things[key], DOT, false), " ", picture.things[key].name)),
      ...picture.signs.map(([sign, meaning]) => tag("span", { class_: "fact" }, tag("b", {}, sign), " ", meaning))];
      parts.push(section("legend", picture.legend_title, tag("p", { class_: "facts" }, items)));
    }
    return parts;
  }

  Object.assign(rw, { tag, drawn });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
