// The page: a game that is watched or played step by step, and random games with their results.
"use strict";
(function (rw) {
  const { tag, Texts, Game, GamesTab, SLICE, spoken, RANDOM, GREEDY, SEARCH } = rw;
  const PERSON = "person";
  const MOST_LINES = 200; // of the log
  const CURTAINED = (entry) => entry.audience !== "all";

  class Page {
    constructor(module, lang) {
      this.module = module;
      this.plan = module.plan;
      this.texts = new Texts(this.plan, lang);
      this.root = document.getElementById("page");
      this.tab = "play";
      const [low] = this.plan.seats;
      const options = Object.fromEntries(this.plan.options.map((option) => [option.name, option.default]));
      const bot = rw.levelsOf(this.plan).includes(GREEDY) ? GREEDY : RANDOM;
      this.setup = { seats: low, options, seed: freshSeed(), players: [PERSON, ...Array(15).fill(bot)], trials: rw.ITERATIONS };
      this.games = new GamesTab(this, { seats: low, options: { ...options }, seed: "1", count: "100" });
      this.view = "follow";
      this.game = null;
      this.notice = "";
      this.paying = false; // whether people are asked how to pay
      this.turn = 0; // grows whenever bots begin to answer: who began before stops
      this.passed = null; // the store at which people let the one who is named answer first
      this.secrets = this.plan.layout.some(CURTAINED) || this.plan.sites.some((site) => site.audience);
      this.listen();
      this.render();
      rw.openLink(this);
    }

    say(key, parts) {
      return spoken(this.texts.said.page[key], parts);
    }

    seatName(seat) {
      return this.texts.memberName(this.plan.seat_kind, this.module.seatThing(seat));
    }

    // ---------------------------------------------------------- the frame

    render() {
      const focused = document.activeElement?.id;
      document.documentElement.lang = this.texts.lang;
      document.title = this.texts.said.title;
      const languages = tag("select", { id: "language", "aria-label": this.say("language"), onchange: (e) => {
        this.texts = new Texts(this.plan, e.target.value);
        this.render();
      } }, this.plan.languages.map((lang) => tag("option", { value: lang, selected: lang === this.texts.lang },
        this.plan.texts[lang].name)));
      const tabs = ["play", "games"].map((name) => tag("button", { id: `tab-${name}`, role: "tab",
        "aria-selected": String(name === this.tab), onclick: () => this.open(name) }, this.say(name)));
      this.root.replaceChildren(
        tag("header", { class_: "bar" }, tag("h1", {}, this.texts.said.title),
          tag("span", { class_: "bar tabs", role: "tablist" }, tabs), languages),
        this.tab === "play" ? this.playTab() : this.games.shown());
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    }

    open(name) {
      this.running = false;
      this.turn += 1;
      this.tab = name;
      if (name === "play" && this.game) {
        this.game.restore();
        this.run();
      } else this.render();
    }

    // Number of seats and options of a game, in `setup`.
    settings(setup, prefix) {
      const [low, high] = this.plan.seats;
      const choices = Array.from({ length: high - low + 1 }, (_, n) => low + n);
      const found = [this.labelled(this.say("seats"), tag("select", { id: `${prefix}-seats`, onchange: (e) => {
        setup.seats = Number(e.target.value);
        this.render();
      } }, choices.map((n) => tag("option", { value: n, selected: n === setup.seats }, String(n)))))];
      for (const option of this.plan.options) {
        const words = (value, id) => (option.domain ? this.texts.memberName(option.domain, value) : this.texts.engine(id));
        found.push(this.labelled(this.texts.title(option.name), tag("select", { id: `${prefix}-option-${option.name}`,
          onchange: (e) => { setup.options[option.name] = Number(e.target.value); } },
        option.members.map(([value, id]) => tag("option", { value, selected: value === setup.options[option.name] },
          words(value, id))))));
      }
      found.push(this.labelled(this.say("seed"), tag("input", { id: `${prefix}-seed`, type: "text", inputmode: "numeric",
        value: setup.seed, oninput: (e) => { setup.seed = e.target.value; } })));
      return found;
    }

    labelled(text, control) {
      return tag("label", {}, tag("span", { class_: "soft" }, text), control);
    }

    // ---------------------------------------------------------- a game step by step

    playTab() {
      const parts = [this.beginForm()];
      if (this.game) parts.push(this.controls(), this.table());
      return tag("div", {}, parts);
    }

    // Who may play a seat.
    kinds() {
      return [PERSON, ...rw.levelsOf(this.plan)];
    }

    beginForm() {
      const { setup } = this;
      const players = Array.from({ length: setup.seats }, (_, n) => this.labelled(this.seatName(n + 1),
        tag("select", { id: `player-${n + 1}`, onchange: (e) => { setup.players[n] = e.target.value; } },
          this.kinds().map((who) => tag("option", { value: who, selected: who === setup.players[n] }, this.say(who))))));
      const form = tag("form", { onsubmit: (e) => { e.preventDefault(); this.begin(); } },
        tag("div", { class_: "bar" }, this.settings(setup, "new")),
        tag("div", { class_: "bar" }, players, this.kinds().includes(SEARCH) ? this.trials(setup) : null),
        tag("button", { id: "begin", type: "submit" }, this.say("begin")));
      return tag("details", { id: "setup", open: !this.game }, tag("summary", {}, this.say("setup")), form,
        rw.openForm(this), this.game ? null : this.noticed());
    }

    // How often a bot that searches tries.
    trials(setup) {
      return this.labelled(this.say("trials"), tag("input", { id: "trials", type: "number", min: 1, max: rw.MOST_ITERATIONS,
        value: setup.trials, oninput: (e) => { setup.trials = Number(e.target.value); } }));
    }

    // `u` takes an answer back; `1` to `9` give one of the first answers that are shown.
    listen() {
      document.addEventListener("keydown", (e) => {
        if (e.ctrlKey || e.metaKey || e.altKey || e.repeat || e.target.closest("input, select, textarea")) return;
        if (e.key === "u") document.getElementById("undo")?.click();
        if (/^[1-9]$/.test(e.key)) document.querySelectorAll("#options [data-option]:not([hidden])")[e.key - 1]?.click();
      });
    }

    begin() {
      const seed = asSeed(this.setup.seed);
      if (seed === null) {
        this.notice = this.say("no_seed");
        this.game = null;
        return this.render();
      }
      this.start(seed);
      this.setup.seed = freshSeed();
      this.run();
    }

    // Begin the game of the setup with a seed, without an answer.
    start(seed) {
      this.running = false;
      this.turn += 1;
      this.game = new Game(this.module);
      this.people = this.setup.players.slice(0, this.setup.seats).map((who) => who === PERSON);
      this.module.seed(seed);
      this.game.begin(this.setup.seats, this.setup.options, seed);
      const { seats, options, players, trials } = this.setup;
      this.begun = { seats, options: { ...options }, seed, players: [...players], trials };
      this.saving = null;
      this.passed = null;
      this.seed = seed;
      this.view = "follow";
      this.last = 0; // the person whose view was shown last
      this.tell();
    }

    // The seat that the page shows: the chosen one; else the person who is asked, or was.
    viewed() {
      if (this.view !== "follow") return Number(this.view);
      const people = this.people.flatMap((is, n) => (is ? [n + 1] : []));
      if (people.length < 2) return people[0] || 0;
      return this.personAsked() || this.last || 0;
    }

    // The person who is asked: the one who is named, else another one whose answer is awaited too; 0 if it is a bot's
    // turn. A person answers before the bots do, unless that person lets them.
    personAsked() {
      const open = rw.openSeats(this.game).filter((seat) => this.people[seat - 1]);
      if (this.game.question && this.people[this.game.question.seat - 1]) return this.game.question.seat;
      return this.passed === this.game.store ? 0 : open[0] || 0;
    }

    isPerson() {
      return this.personAsked() !== 0;
    }

    // Let the one who is named answer before the people whose answers are awaited too.
    pass() {
      this.passed = this.game.store;
      return this.step();
    }

    // Let the bot that is asked answer, and go on.
    async step() {
      const turn = (this.turn += 1);
      if (await this.botAnswers(turn)) this.run();
      else if (turn === this.turn) this.render();
    }

    // Let the bots answer until a person is asked; none if nobody plays.
    async run() {
      const turn = (this.turn += 1);
      let end = performance.now() + SLICE;
      while (this.people.some(Boolean) && this.goesOn()) {
        if (performance.now() >= end) {
          this.render();
          await pause();
          end = performance.now() + SLICE;
        }
        if (turn !== this.turn || !(await this.botAnswers(turn))) break;
      }
      if (turn === this.turn) this.render();
    }

    goesOn() {
      return Boolean(this.game.question) && !this.isPerson() && !this.game.gaveUp;
    }

    // Let a bot answer; one that searches does so between looks at the page. False if it cannot, or if something else
    // has begun meanwhile.
    async botAnswers(turn) {
      const { game } = this;
      const bot = this.begun.players[game.question.seat - 1];
      const iterations = rw.iterationsOf(this.plan, bot, this.begun.trials);
      const answered = iterations && game.options.length > 1 ? await this.searched(iterations, turn) : game.botAnswers(rw.isGreedy(bot));
      if (turn !== this.turn) return false;
      this.tell();
      return answered;
    }

    // Search, and take what is found.
    async searched(iterations, turn) {
      const { game } = this;
      let search = null;
      for (let slices = 0; !search?.isGrown; slices++) {
        if (slices === 1) this.render(); // with the answer before
        if (slices) await pause();
        if (turn !== this.turn) return false;
        if (!game.guarded(() => { search = search || new rw.Search(game, iterations); search.grow(SLICE); })) return false;
      }
      return game.searchedAnswer(search);
    }

    // Play on by itself, with bots in all seats that are asked.
    async watch() {
      const turn = (this.turn += 1);
      while (this.running && turn === this.turn) {
        this.running = this.goesOn() && await this.botAnswers(turn) && this.goesOn();
        if (turn !== this.turn) return;
        this.render();
        if (this.running) await pause(120);
      }
    }

    // Take an option of a question that is shown: the one of the seat, or its actions at any moment.
    answer(n, shown = this.shown) {
      this.last = shown.question.seat;
      this.game.answer(shown.options[n], { from: shown.question, paying: this.paying });
      this.tell();
      this.run();
    }

    tell() {
      this.notice = this.game.gaveUp ? this.say("gave_up", { reason: this.say(`reason_${this.game.gaveUp}`) }) : "";
    }

    undo() {
      this.running = false;
      this.turn += 1;
      this.game.undo((seat) => !this.people.some(Boolean) || this.people[seat - 1]);
      this.tell();
      this.render();
    }

    controls() {
      const views = [["follow", this.say("follow")], ["0", this.say("onlooker")],
        ...Array.from({ length: this.game.seats }, (_, n) => [String(n + 1), this.seatName(n + 1)])];
      const watched = !this.people.some(Boolean) || this.game.gaveUp;
      return tag("div", { class_: "bar", id: "controls" },
        this.labelled(this.say("view"), tag("select", { id: "view", onchange: (e) => {
          this.view = e.target.value;
          this.render();
        } }, views.map(([value, text]) => tag("option", { value, selected: value === this.view }, text)))),
        tag("button", { id: "undo", disabled: !this.game.past.length, onclick: () => this.undo() }, this.say("undo")),
        watched ? [tag("button", { id: "step", disabled: !this.game.question || this.isPerson(),
          onclick: () => this.step() },
          this.say("step")),
        tag("button", { id: "watch", disabled: !this.goesOn(), onclick: () => {
          this.running = !this.running;
          this.watch();
          this.render();
        } }, this.say(this.running ? "pause" : "run"))] : null,
        this.plan.sites.some((site) => site.default) ? this.labelled(this.say("paying"), tag("input", { id: "paying", type: "checkbox",
          checked: this.paying, onchange: (e) => { this.paying = e.target.checked; } })) : null,
        rw.saveForm(this),
        tag("span", { class_: "soft" }, this.say("seed_of", { seed: this.seed })),
        tag("span", { class_: "soft digest", id: "digest" }, this.game.store ? this.game.digest : ""));
    }

    table() {
      const { game, texts } = this;
      if (!game.question && !game.over) return this.noticed();
      const seat = this.viewed();
      this.shown = this.people[seat - 1] ? rw.questionFor(game, seat) : null;
      const isTurn = this.shown !== null;
      if (this.curtained(seat)) return this.curtain(seat);
      this.last = seat && this.people[seat - 1] ? seat : this.last;
      const picture = game.picture(texts, seat);
      if (isTurn && this.shown.question !== game.question) picture.asked = game.prompt(texts, this.shown.question);
      const heading = tag("div", {}, tag("p", {}, tag("b", {}, picture.reader)),
        picture.headings.length ? tag("p", { class_: "soft" }, picture.headings.join(" › ")) : null);
      const board = tag("main", { id: "board" }, rw.drawn(picture, this.plan.patterns));
      const shown = isTurn ? game.optionTexts(texts, this.shown.question, this.shown.options) : [];
      const side = tag("div", { id: "side" }, this.question(picture, shown, seat), this.logOf(seat));
      if (isTurn) this.mark(board, side);
      return tag("div", {}, heading, tag("div", { id: "table" }, board, side));
    }

    // Whether a person has to agree before the page shows what only that seat may see: another one looked before.
    curtained(seat) {
      const several = this.people.filter(Boolean).length > 1;
      return this.secrets && several && this.view === "follow" && seat !== 0 && seat !== this.last;
    }

    curtain(seat) {
      const text = this.say("curtain", { who: this.seatName(seat) });
      return tag("p", {}, tag("button", { id: "curtain", onclick: () => { this.last = seat; this.render(); } }, text));
    }

    noticed() {
      return this.notice ? tag("p", { class_: "notice", role: "alert", id: "notice" }, this.notice) : null;
    }

    question(picture, shown, seat) {
      const isTurn = this.shown !== null;
      const inside = [this.noticed(), tag("p", { id: "prompt" }, tag("strong", {}, picture.asked))];
      if (this.game.over) inside.push(this.result(this.game.result()));
      if (isTurn) {
        inside.push(tag("div", { id: "options" }, shown.map((text, n) =>
          tag("button", { id: `option-${n}`, "data-option": n, "aria-keyshortcuts": n < 9 ? String(n + 1) : null,
            onclick: () => this.answer(n) }, text))));
      }
      if (isTurn && !this.people[this.game.question.seat - 1]) {
        const who = this.seatName(this.game.question.seat);
        inside.push(tag("button", { id: "pass", onclick: () => this.pass() }, this.say("pass", { who })));
      }
      inside.push(this.moments(seat));
      return tag("section", { id: "question", "aria-live": "polite" }, tag("h2", {}, this.say("question")), inside);
    }

    // The actions at any moment of the seat that is shown, if a person plays it.
    moments(seat) {
      const found = this.people[seat - 1] ? rw.momentsFor(this.game, seat) : null;
      if (!found) return null;
      const shown = this.game.optionTexts(this.texts, found.question, found.options);
      return tag("details", { id: "moments" }, tag("summary", {}, this.say("any_moment")), shown.map((text, n) =>
        tag("button", { "data-moment": n, onclick: () => this.answer(n, found) }, text)));
    }

    logOf(seat) {
      const lines = this.game.lines(this.texts, seat);
      const first = Math.max(0, lines.length - MOST_LINES);
      const log = tag("ol", { id: "log", tabindex: "0", start: first + 1 }, lines.slice(first).map((line) => tag("li", {}, line)));
      requestAnimationFrame(() => { log.scrollTop = log.scrollHeight; });
      return tag("section", {}, tag("h2", {}, this.say("log")), log);
    }

    // Places, cards and names on the board that stand for answers can be clicked; with several answers they are listed.
    mark(board, side) {
      const { question, options } = this.shown;
      const answers = new Map();
      options.forEach((option, n) => {
        if (question.site.gain !== undefined) return;
        for (const [, { value, type }] of question.values(option)) {
          if (type.is !== "member" || !value) continue;
          const sort = this.plan.domains[type.domain].sort === "enum" ? type.domain : this.plan.things.kinds[value];
          const key = `${sort}.${this.texts.memberId(type.domain, value)}`;
          answers.set(key, [...(answers.get(key) || []), n]);
        }
      });
      for (const element of board.querySelectorAll("[data-thing]")) {
        const found = answers.get(element.dataset.thing);
        if (!found || !(element.matches(".place, .card"))) continue;
        element.classList.add("choice");
        element.addEventListener("click", () => {
          if (found.length === 1) return this.answer(found[0]);
          for (const button of side.querySelectorAll("[data-option]")) button.hidden = !found.includes(Number(button.dataset.option));
          if (!side.querySelector("#all")) {
            side.querySelector("#options").append(tag("button", { id: "all", onclick: () => this.render() }, this.say("all")));
          }
        });
      }
    }

    result({ scores, winners }) {
      const rows = [];
      if (winners !== null) {
        const names = winners.map((seat) => this.seatName(seat));
        rows.push(tag("p", { id: "winners" }, names.length ? this.say("won", { who: this.texts.joined(names) }) : this.say("lost")));
      }
      if (scores.length) {
        rows.push(tag("p", { id: "scores" }, scores.map((n, at) => `${this.seatName(at + 1)} ${n}`).join(" · ")));
      }
      return rows;
    }
  }

  const pause = (milliseconds = 0) => new Promise((done) => { setTimeout(done, milliseconds); });

  const freshSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

  const asSeed = (text) => (/^\s*\d{1,18}\s*$/.test(text) ? BigInt(text.trim()) : null);

  Object.assign(rw, { asSeed });

  async function start() {
    const root = document.getElementById("page");
    try {
      const module = await rw.load(rw.packed);
      delete rw.packed.code;
      delete rw.packed.plan;
      rw.page = new Page(module, rw.packed.lang);
    } catch (fault) {
      root.replaceChildren(tag("p", { class_: "notice", id: "failed" }, String(fault)));
      throw fault;
    }
  }

  start();
})((globalThis.Rulewright = globalThis.Rulewright || {}));
