"use strict";
// The page of a table. Everything that is shown comes from the server as HTML; nothing of the game is known here.
const told = document.body.dataset, words = JSON.parse(told.words || "{}"), here = location.pathname;
const $ = id => document.getElementById(id);
const narrow = matchMedia("(max-width: 900px)");  // where the text about a thing lies over the answers
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let v = -1, marks = {}, parts = {}, order = [], mine = false, line, pause = 500, mode = "", back = false, former = [], typed = "", typing;

// ---------------------------------------------------------------- sitting down, and the tables of this browser

async function sitDown() {  // what stands behind the # is sent once, and never in an address
  const secret = location.hash.slice(1);
  const done = secret && await fetch(here + "join", {method: "POST", body: secret});
  if (done && done.ok) location.replace(here + location.search);
  else $("joining").textContent = words.bad_link;
}

const known = () => { try { return JSON.parse(localStorage.getItem("tables")) || {}; } catch { return {}; } };

function remember() {
  const all = {...known(), [here]: told.title};
  try { localStorage.setItem("tables", JSON.stringify(Object.fromEntries(Object.entries(all).slice(-30)))); } catch {}
}

function listKnown() {
  for (const [path, title] of Object.entries(known()).reverse()) {
    const link = document.createElement("a"), item = document.createElement("li");
    link.href = path; link.textContent = title; item.append(link); $("mine").append(item);
    $("tables").hidden = false;
  }
}

// ---------------------------------------------------------------- the line

function connect() {
  line = new WebSocket(location.origin.replace("http", "ws") + here + "ws?lang=" + told.lang);
  line.onopen = () => { net("online"); pause = 500; };
  line.onclose = () => { net("offline"); setTimeout(connect, pause); pause = Math.min(pause * 2, 8000); };
  line.onmessage = message => receive(JSON.parse(message.data));
}

function net(key) { $("net").textContent = words[key]; $("net").className = key; }

function send(what) { if (line.readyState === 1) { line.send(JSON.stringify({v, ...what})); sent = performance.now(); } }
let sent = 0;

function receive(d) {
  if (d.slow) return net("slow");
  if (d.told !== undefined) return tell(d.told);
  if (d.parts === undefined) return;
  net("online");
  for (const name of d.gone) delete parts[name];
  for (const [name, edits] of Object.entries(d.edits)) d.parts[name] = edited(parts[name], edits);
  Object.assign(parts, d.parts);
  marks = d.marks; order = d.order;
  const isNew = d.v !== v;
  v = d.v;
  if (isNew) { setMode(""); if (narrow.matches) tell(""); }
  $("slider").max = d.lines;
  if (!back) { $("slider").value = d.lines; draw(d.parts); }
  else draw(Object.fromEntries(Object.entries(d.parts).filter(([name]) => name === "ask" || name === "log")));
  spectators(d.seats);
  if (d.seats || here.endsWith("/watch/")) $("notify").hidden = true;
  if (d.mine && !mine && document.hidden && window.Notification && Notification.permission === "granted")
    new Notification(words.your_turn, {body: told.title});
  mine = d.mine;
  document.title = (mine ? "● " + words.your_turn + " – " : "") + told.title;
  document.body.classList.toggle("mine", mine);
  window.shown = {v, took: performance.now() - sent};
}

function edited(html, edits) {  // the same text in the same pieces as the server has, by numbers of pieces
  const pieces = html.split(/(?=<[a-z])/);
  for (const [at, gone, come] of edits.reverse()) pieces.splice(at, gone, come);
  return pieces.join("");
}

// ---------------------------------------------------------------- putting parts in their place

const home = name => name === "ask" ? $("question") : name === "log" ? $("history") : $("board");

function draw(changed) {
  const focus = document.activeElement, again = focus && findAgain(focus), inside = focus && focus.closest("#ask, #board");
  const part = focus?.closest("#board > *")?.id, thing = focus?.dataset.thing;
  const stood = calm.matches ? null : places();
  for (const [name, html] of Object.entries(changed)) {
    const box = document.createElement("template");
    box.innerHTML = html;
    const next = box.content.firstElementChild, old = $(name), scrolled = old && scrolls(old).map(el => el.scrollLeft);
    if (name === "map" && graft(old, next)) continue;
    if (old) old.replaceWith(next); else home(name).append(next);
    if (name === "log") {  // on a phone, the last line stands above the question
      const rows = $("rows");
      rows.scrollTop = rows.scrollHeight;
      $("question").dataset.last = rows.lastElementChild?.textContent || "";
    }
    else if (scrolled) scrolls(next).forEach((el, n) => { if (scrolled[n]) el.scrollLeft = scrolled[n]; });
    else for (const lane of next.querySelectorAll("svg.lane")) {  // a track that is cut begins where somebody stands
      const marker = lane.querySelector("[data-thing]");
      if (marker) lane.parentNode.scrollLeft = marker.getBoundingClientRect().left - lane.getBoundingClientRect().left - 60;
    }
  }
  arrange();
  for (const el of document.querySelectorAll("#board .wide, #board .line, #map"))  // what scrolls can be reached by keys
    if (el.scrollWidth > el.clientWidth) el.tabIndex = 0; else el.removeAttribute("tabindex");
  mark();
  const now = document.activeElement;
  if (focus !== document.body && (now === document.body || thing && !now.matches(".can"))) {
    const able = part ? [...document.querySelectorAll(`#${CSS.escape(part)} .can`)] : [];
    const el = able.find(one => one.dataset.thing === thing) || able[0] || again && !thing && document.querySelector(again) || inside && $("prompt");
    if (el) el.focus({preventScroll: true});
  }
  if (stood) glide(stood);
}

const scrolls = el => [el, ...el.querySelectorAll(".wide, .line")];

// ---------------------------------------------------------------- where the parts of the board stand

const beside = document.createElement("div");  // the column beside the map
beside.id = "beside";
let arranged = "";
const READABLE = 0.65;  // of the size of a map, that at which its words can be read

function arrange() {
  const board = $("board"), wanted = (back ? former : order).filter(name => home(name) === board), svg = document.querySelector("#map svg.map"), map = svg?.viewBox.baseVal;
  const broad = Boolean(map && (map.width > 1.5 * map.height || 0.58 * board.clientWidth < READABLE * map.width));
  if (map) { $("map").classList.toggle("broad", broad); svg.style.minWidth = narrow.matches ? READABLE * map.width + "px" : ""; }
  for (const one of [board, beside]) for (const el of [...one.children]) if (el !== beside && !wanted.includes(el.id)) el.remove();
  const within = map && !broad && !narrow.matches, height = () => $("map").offsetHeight;
  const now = [within, innerWidth, ...wanted].join();
  const is = new Set(within && now === arranged && beside.offsetHeight < 1.4 * height() ? [...beside.children].map(el => el.id) : []);
  inOrder(board, wanted.filter(name => !is.has(name)).flatMap(name => name === "map" ? [$(name), beside] : [$(name)]));
  inOrder(beside, wanted.filter(name => is.has(name)).map($));
  if (within && !is.size) fillBeside(height());
  arranged = now;
}

function inOrder(box, wanted) {
  wanted.filter(Boolean).forEach((el, n) => { if (el !== box.children[n]) box.insertBefore(el, box.children[n] || null); });
}

function fillBeside(height) {  // with what is not too wide for it, as far down as the map goes
  for (let el = beside.nextElementSibling, next; el; el = next) {
    next = el.nextElementSibling;
    if (el.id === "legend" || el.classList.contains("side-wide")) continue;
    beside.append(el);
    const cut = scrolls(el).some(one => one.scrollWidth > one.clientWidth + 1);
    if (cut || beside.offsetHeight > height + 40) $("board").insertBefore(el, next);
  }
}

addEventListener("resize", () => { if ($("board") && order.length) arrange(); });
const drawn = new WeakMap();  // an element of a map -> its text when it was put in

function graft(old, next) {  // of a map only what differs is put in; false where it is another one
  const a = old?.querySelector("svg.map"), b = next.querySelector("svg.map"), kids = b ? [...b.children] : [];
  const now = kids.map(el => el.outerHTML), wanted = new Set(now), stay = new Map();
  kids.forEach((el, n) => drawn.set(el, now[n]));
  if (!a || !b || a.getAttribute("viewBox") !== b.getAttribute("viewBox")) return false;
  for (const el of [...a.children]) if (wanted.has(drawn.get(el))) stay.set(drawn.get(el), el); else el.remove();
  let at = a.firstChild;
  kids.forEach((el, n) => {
    const same = stay.get(now[n]);
    stay.delete(now[n]);
    if (same && same === at) at = at.nextSibling; else a.insertBefore(same || el, at);
  });
  while (at) { const after = at.nextSibling; at.remove(); at = after; }
  return true;
}

function findAgain(el) {
  const data = el.dataset;
  if (data.send) return `#ask [data-send="${data.send}"]`;
  if (data.mode) return `#ask [data-mode="${data.mode}"]`;
  return el.id ? "#" + CSS.escape(el.id) : null;
}

function mark() {
  for (const el of document.querySelectorAll("#board [data-thing]")) {
    const can = !back && el.dataset.thing in marks;
    if (!can && el.classList.contains("can")) for (const name of ["tabindex", "role", "aria-label"]) el.removeAttribute(name);
    el.classList.toggle("can", can);
  }
  for (const part of $("board").children) {
    const able = [...part.querySelectorAll(".can")], stop = able.find(el => el === document.activeElement) || able[0];
    for (const svg of part.querySelectorAll("svg.map")) svg.setAttribute("role", svg.querySelector(".can") ? "group" : "img");
    for (const el of able) {
      const holds = el.querySelector(".can");
      el.setAttribute("role", holds ? "group" : "button");
      if (holds || el.ownerSVGElement)  // all others are named by what stands on them
        el.setAttribute("aria-label", [nameOf(el), ...optionsOf(el.dataset.thing).slice(0, 3).map(textOf)].join(", "));
      el.setAttribute("tabindex", el === stop ? 0 : -1);
    }
  }
}

const headOf = button => button.closest(".case")?.querySelector("h3") || button.closest("#ask details")?.querySelector("summary");
const textOf = button => [headOf(button)?.textContent.replace(/ \(\d+\)$/, ""), button.lastChild.textContent].filter(Boolean).join(" ");
const nameOf = el => (el.querySelector("title")?.textContent || el.querySelector("b")?.firstChild.textContent || el.title || el.textContent)
  .split("\n")[0].trim();
const ableIn = el => [...el.closest("#board > *").querySelectorAll(".can")];

function step(el, key) {  // of what can be chosen in a part one is a stop for Tab, and arrows go to the next one that way
  const able = ableIn(el), down = /Up|Down/.test(key), way = /Right|Down/.test(key) ? 1 : -1;
  let next = key === "Home" ? able[0] : key === "End" ? able.at(-1) : null, least = Infinity;
  const from = el.getBoundingClientRect();
  if (!next) for (const one of able) {
    const to = one.getBoundingClientRect();
    const x = to.left + to.width / 2 - from.left - from.width / 2, y = to.top + to.height / 2 - from.top - from.height / 2;
    const along = way * (down ? y : x), far = along + 2 * Math.abs(down ? x : y);
    if (along > 1 && far < least) { least = far; next = one; }
  }
  next?.focus();
}

const cards = () => document.querySelectorAll("#board .card[data-thing]");

function places() {
  return new Map([...cards()].map(el => [el.dataset.thing, el.getBoundingClientRect()]));
}

function glide(stood) {  // a card that stands elsewhere now goes there
  for (const el of cards()) {
    const was = stood.get(el.dataset.thing), is = el.getBoundingClientRect();
    const x = was ? was.left - is.left : 0, y = was ? was.top - is.top : 0;
    if (Math.abs(x) + Math.abs(y) > 8)
      el.animate([{transform: `translate(${x}px,${y}px)`}, {transform: "none"}], {duration: 300, easing: "ease-out"});
  }
}

// ---------------------------------------------------------------- answering

function take(button) {
  if (button.dataset.send) return send({[button.dataset.send]: 1});
  if (button.dataset.now !== undefined) return send({now: +button.dataset.now});
  if (mode !== "try" && button.dataset.sure && !confirm(button.textContent + "\n" + button.dataset.sure)) return;
  send({[mode || "do"]: +button.dataset.do});
}

function setMode(name) {
  mode = name;
  document.querySelectorAll("[data-mode]").forEach(el => el.setAttribute("aria-pressed", el.dataset.mode === mode));
}

const optionsOf = key => (marks[key] || []).map(n => document.querySelector(`#ask [data-do="${n}"]`)).filter(Boolean);

function choose(el, touch) {
  const key = el.dataset.thing, found = back ? [] : optionsOf(key);
  if (found.length === 1 && !touch) return take(found[0]);
  tell("", found);
  if (found.length && !touch) $("about").querySelector("button").focus({preventScroll: true});
  about(key, found);
}

document.addEventListener("click", event => {
  clearTimeout(pointing);  // what a click tells stays
  const button = event.target.closest("button"), thing = event.target.closest("#board [data-thing]");
  if (button && button.dataset.mode) setMode(mode === button.dataset.mode ? "" : button.dataset.mode);
  else if (button && (button.dataset.do || button.dataset.now || button.dataset.send)) take(button);
  else if (button && button.id === "earlier") earlier(button);
  else if (button && button.id === "close") tell("");
  else if (button && button.id === "now") present();
  else if (button && button.id === "notify") Notification.requestPermission().then(() => button.remove());
  else if (thing) choose(thing, event.pointerType === "touch");
});

document.addEventListener("keydown", event => {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^[0-9]$/.test(event.key)) digit(event.key);
  else if (event.target.matches("#board .can")) {
    if (event.key === "Enter" || event.key === " ") choose(event.target, false);
    else if (/^(Arrow|Home|End)/.test(event.key)) step(event.target, event.key);
    else return other(event);
    event.preventDefault();
  } else other(event);
});

function other(event) {
  if (event.key === "u") document.querySelector('#ask [data-send="undo"]')?.click();
  else if (event.key === "Escape") { setMode(""); tell(""); $("prompt")?.focus(); }
}

function digit(key) {  // a number is taken at once where no longer one begins with it
  clearTimeout(typing);
  typed += key;
  const labels = [...document.querySelectorAll("#ask [data-label]")];
  const act = () => { const el = labels.find(one => one.dataset.label === typed); typed = ""; if (el && el.isConnected) take(el); };
  if (labels.some(one => one.dataset.label !== typed && one.dataset.label.startsWith(typed))) typing = setTimeout(act, 700);
  else act();
}

// ---------------------------------------------------------------- reading about things

let pointing, asked = 0;

async function about(key, options = []) {
  const mine = ++asked, query = `?t=${encodeURIComponent(key)}&lang=${told.lang}`;
  const ask = what => fetch(here + "about/" + what + query).then(found => found.ok ? found.text() : "");
  const [why, info] = await Promise.all([key in marks || back ? "" : ask("why"), ask("info")]);
  if (mine === asked) tell((why ? `<div class="why">${why}</div>` : "") + info, options);
}

function tell(html, options = []) {
  asked++;
  const box = $("about"), focused = [...box.querySelectorAll("button")].indexOf(document.activeElement);
  box.innerHTML = html;
  const list = document.createElement("div");
  list.className = "group";
  list.append(...options.map(one => {
    const copy = one.cloneNode(true);
    copy.lastChild.textContent = textOf(one);  // here it does not stand below its heading
    copy.removeAttribute("data-label");
    return copy;
  }));
  box.prepend(list);
  if (focused >= 0) list.children[focused]?.focus({preventScroll: true});
  $("side").classList.toggle("telling", Boolean(html || options.length));
}

function point(target) {
  clearTimeout(pointing);
  document.querySelectorAll(".hot").forEach(el => el.classList.remove("hot"));
  const option = target.closest("#side [data-things]"), thing = target.closest("#board [data-thing]");
  if (option) {
    for (const key of option.dataset.things.split(" "))
      document.querySelectorAll(`#board [data-thing="${CSS.escape(key)}"]`).forEach(el => el.classList.add("hot"));
    if (option.closest("#ask") && !narrow.matches) pointing = setTimeout(() => about(option.dataset.things.split(" ").pop()), 500);
  } else if (thing && !narrow.matches) pointing = setTimeout(() => about(thing.dataset.thing, optionsOf(thing.dataset.thing)), 350);
}

document.addEventListener("pointerover", event => { if (event.pointerType !== "touch") point(event.target); });
document.addEventListener("focusin", event => {
  if (event.target.matches?.("#ask [data-things]:focus-visible, #board .can:focus-visible")) point(event.target);
  if (event.target.matches?.("#board .can")) for (const el of ableIn(event.target)) el.setAttribute("tabindex", el === event.target ? 0 : -1);
});

async function earlier(button) {
  const found = await fetch(`${here}log?lang=${told.lang}`);
  if (found.ok) { $("rows").innerHTML = await found.text(); button.remove(); }
}

// ---------------------------------------------------------------- looking back

let moved;

function look() {
  clearTimeout(moved);
  moved = setTimeout(async () => {
    const n = +$("slider").value;
    if (n >= +$("slider").max && !$("as").value) return present();
    const found = await fetch(`${here}past?n=${n}&lang=${told.lang}&seat=${$("as").value}`);
    if (!found.ok || +$("slider").value !== n) return;
    const was = await found.json();
    back = true; former = Object.keys(was.parts);
    document.body.classList.add("past");
    $("slid").textContent = was.told; $("now").hidden = false;
    draw(was.parts);
  }, 120);
}

function present() {
  back = false;
  document.body.classList.remove("past");
  $("slid").textContent = ""; $("now").hidden = true; $("as").value = "";
  $("slider").value = $("slider").max;
  draw(Object.fromEntries(Object.entries(parts).filter(([name]) => home(name) === $("board"))));
}

function spectators(seats) {  // all hands, when the game is over
  if (!seats || $("as").length > 1) return;
  for (const [seat, name] of Object.entries(seats)) $("as").add(new Option(name, seat));
  $("as").hidden = false;
}

// ---------------------------------------------------------------- beginning

if (told.join) sitDown();
else if ($("mine")) listKnown();
else if ($("board")) {
  remember();
  $("slider").addEventListener("input", look);
  $("as").addEventListener("change", look);
  $("notify").hidden = !(window.Notification && Notification.permission === "default");
  connect();
}
