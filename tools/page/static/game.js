// A game in the page: its store, its log and the answers that follow without a choice (`interpreter/session/advance.py`).
"use strict";
(function (rw) {
  const { AT, GaveUp, Question, Reader, recorded, narrate, pictureOf, digest } = rw;
  const ENDLESS = 10000; // forced answers in a row
  const MOST = 1000000; // decisions of one random game

  const same = (a, b) => a.kind === b.kind && a.code === b.code && String(a.values) === String(b.values);

  class Game {
    constructor(module) {
      this.module = module;
      this.plan = module.plan;
      this.texts = new rw.Texts(module.plan, module.plan.languages[0]);
    }

    // Begin a game and run to its first choice. `options`: name -> number.
    begin(seats, options, seed) {
      this.seats = seats;
      this.log = [];
      this.opened = null; // where the open plan began: seat, store, entries
      this.past = [];
      this.automatic = 0;
      this.gaveUp = "";
      this.module.put(this.module.blank(seats, options, seed));
      this.guarded(() => {
        this.noPlan();
        this.module.call("run");
        this.arrived();
        this.settle();
      });
    }

    // Do what may give up; the game then stays where it was, and `gaveUp` says why.
    guarded(work) {
      this.gaveUp = "";
      try {
        work();
        return true;
      } catch (fault) {
        if (!(fault instanceof GaveUp)) throw fault;
        this.gaveUp = fault.reason;
        return false;
      }
    }

    get over() {
      return this.store !== undefined && this.store[AT.OVER] === 1;
    }

    get digest() {
      return digest(this.store);
    }

    // Nothing has happened yet since the last answer.
    noPlan() {
      this.module.words[this.plan.memory.planned] = 0;
      this.module.words[this.plan.memory.noted] = 0;
    }

    // Write outcomes of chance into the log, with the seats that may see them (null: all): those whom the rules name,
    // else those who know afterwards where the thing is.
    note({ event, value, audience }) {
      let seats = audience;
      if (event.is === "shuffle") seats = [];
      else if (!seats && event.is === "member" && value && this.plan.domains[event.type.domain].sort !== "enum") {
        const knows = (seat) => new Reader(this.module, this.texts, seat, 0).knows(value);
        if (!knows(0)) seats = Array.from({ length: this.seats }, (_, n) => n + 1).filter(knows);
      } else if (seats && this.seats > 1 && seats.length >= this.seats) seats = null;
      this.log.push({ event, value, audience: seats });
    }

    // Take note of the store at which the module stopped.
    arrived() {
      this.store = this.module.store();
      for (const note of this.module.notes()) this.note(note);
      this.question = null;
      this.options = [];
      if (!this.store[AT.PLAN]) this.opened = null;
      else if (this.module.words[this.plan.memory.planned]) {
        const seat = this.module.seatNumber(this.store[AT.PLAN_SEAT]);
        this.opened = { seat, store: this.module.planned(), entries: this.log.length };
      }
      if (this.store[AT.SITE]) {
        this.question = new Question(this.module);
        this.question.held = this.store;
        this.options = this.module.options();
      }
    }

    // Take what is forced. Where the seat `paying` can pay or gain in several ways, it is asked.
    settle(paying = 0) {
      while (this.question) {
        if (paying && this.question.site.default && this.question.seat === paying) {
          this.options = this.module.options(true);
          if (this.options.length > 1) return;
        }
        const forced = this.question.forced(this.options);
        if (!forced) return;
        this.step(forced, true);
      }
    }

    step(option, automatic, before = this.question) {
      this.automatic = automatic ? this.automatic + 1 : 0;
      if (this.automatic > ENDLESS) throw new GaveUp("endless");
      const entry = before.entry(option, automatic);
      this.noPlan();
      this.take(option, before.site.default);
      const number = this.log.push(entry) - 1;
      const plan = this.opened;
      this.arrived();
      this.noteOutcome(plan, number);
      if (before.site.at_once && !this.isSameRound(before)) this.reveal();
    }

    // Take an option in the module: where it stands, or where it is in a list made anew.
    take(option, all) {
      const { module } = this;
      let options = Array.from({ length: module.get("count") }, (_, n) => module.option(n));
      let index = options.findIndex((one) => same(one, option));
      if (index < 0) {
        options = module.options(all);
        index = options.findIndex((one) => same(one, option));
      }
      module.call("answer", index);
    }

    isSameRound(before) {
      const now = this.question;
      if (!now || !now.site.at_once || String(now.site.at_once) !== String(before.site.at_once)) return false;
      if (now.frame !== before.frame) return false;
      if (before.place !== now.place) return before.place < now.place;
      return now.number > before.number || (now.number === before.number && now.cursor > 0);
    }

    // Reveal simultaneous answers to everybody, now that all have answered.
    reveal() {
      this.log = this.log.map((entry) => (entry.waits ? { ...this.learnt(entry), audience: null, waits: false } : entry));
    }

    // Note in the entry with this number what its answer has led to. For the answers of a plan, and the one that it began
    // with, that is the position in which it is certain. `plan`: the one that was open before.
    noteOutcome(plan, number) {
      if (plan && this.opened === plan) return;
      const opens = this.opened && !plan;
      if (opens) this.module.put(this.opened.store);
      for (let n = plan ? Math.max(0, plan.entries - 1) : number; n <= number; n++) this.log[n] = this.learnt(this.log[n]);
      if (opens) this.restore();
    }

    // An entry whose things are named to those who know them in the store in memory, too.
    learnt(entry) {
      if (!entry.known?.size) return entry;
      const now = new Reader(this.module, this.texts, 0, 0).knowers(entry.known.keys());
      const kept = [...entry.known].filter(([thing]) => now.has(thing));
      return { ...entry, known: new Map(kept.map(([thing, seats]) => [thing, [...new Set([...seats, ...now.get(thing)])]])) };
    }

    // ---------------------------------------------------------- answers

    // Answer the question, or one that stands beside it (`offers.js`), and what follows without a choice. False if the
    // module gives up: nothing has changed then. `paying`: who answers is asked how to pay.
    answer(option, { from = this.question, paying = false } = {}) {
      const { store, question, options, opened, automatic } = this;
      const given = recorded(option, from, paying);
      const before = { store, question, options, opened, automatic, log: this.log.slice(), given, by: from.seat };
      const payer = paying || from.site.default ? from.seat : 0;
      this.module.put(from.held);
      if (this.guarded(() => { this.step(option, false, from); this.settle(payer); })) {
        this.past.push(before);
        return true;
      }
      this.goBack(before);
      return false;
    }

    // Answer as a bot does: random play, or the greedy bot, which may take an action at any moment instead. False if the
    // module gives up.
    botAnswers(greedy) {
      let option = null;
      this.restore();
      const chosen = this.guarded(() => {
        if (greedy) this.module.options();
        option = this.module.option(this.module.call(greedy ? "choose_greedy" : "draw_one"));
      });
      if (chosen && greedy && this.module.get("moment")) return this.answer(option, { from: this.asked() });
      return chosen && this.answer(option);
    }

    // Answer as a bot that has searched. False if the module gives up.
    searchedAnswer(search) {
      this.restore();
      return this.answer(search.option);
    }

    // The question that stands in memory, which is not that of the game: for an action at any moment.
    asked() {
      const question = new Question(this.module);
      question.held = this.module.store();
      question.moment = question.seat;
      return question;
    }

    // Go back before the last answer that `stop` says yes to, of the seats of those answers.
    undo(stop = () => true) {
      while (this.past.length) {
        const before = this.past.pop();
        this.goBack(before);
        if (stop(before.by) || !this.past.length) break;
      }
      this.gaveUp = "";
    }

    goBack({ store, question, options, opened, automatic, log }) {
      Object.assign(this, { store, question, options, opened, automatic, log: log.slice() });
      this.restore();
    }

    // Put the store of the game into memory.
    restore() {
      this.module.put(this.store);
    }

    // ---------------------------------------------------------- what a seat sees

    // The position as a seat (0: an onlooker) may see it: while a plan of another seat is open, the one before it.
    picture(texts, seat) {
      const hidden = this.opened !== null && this.opened.seat !== seat;
      const asked = this.question ? this.question.seat : 0;
      const question = () => this.prompt(texts);
      if (hidden) this.module.put(this.opened.store);
      try {
        return pictureOf(this.module, texts, seat, { asked, question, over: this.over });
      } finally {
        this.restore();
      }
    }

    prompt(texts, question = this.question) {
      this.module.put(question.held);
      const text = question.prompt(texts);
      this.restore();
      return text;
    }

    // The options in words, for the seat that is asked.
    optionTexts(texts, question = this.question, options = this.options) {
      this.module.put(question.held);
      const found = options.map((option) => question.optionText(texts, option));
      this.restore();
      return found;
    }

    // The lines of the log for a seat.
    lines(texts, seat) {
      const hidden = this.opened !== null && this.opened.seat !== seat;
      const entries = hidden ? this.log.slice(0, this.opened.entries) : this.log;
      return entries.map((entry) => narrate(this.plan, texts, entry, seat)).filter(Boolean);
    }

    // The scores by seat, and the seats that win; null where the rules do not say.
    result() {
      this.restore();
      return resultOf(this.module, this.seats);
    }
  }

  // The result of the store in memory; without what the module gives up at.
  function resultOf(module, seats) {
    try {
      return resultIn(module, seats);
    } catch (fault) {
      if (!(fault instanceof GaveUp)) throw fault;
      return { scores: [], winners: null };
    }
  }

  function resultIn(module, seats) {
    const { result, seat_kind } = module.plan;
    const scores = [];
    if (result.score !== undefined) {
      for (let seat = 1; seat <= seats; seat++) scores.push(module.call(`read${result.score}`, module.seatThing(seat)));
    }
    let winners = null;
    if (result.winners !== undefined) {
      const found = module.read(result.winners, result.type);
      const won = (Array.isArray(found) ? found : [found]).map((t) => module.seatNumber(t));
      winners = result.type.is === "member" || result.type.item?.domain === seat_kind ? won.filter(Boolean) : null;
    } else if (seats > 1 && scores.length) {
      winners = scores.flatMap((n, at) => (n === Math.max(...scores) ? [at + 1] : []));
    }
    return { scores, winners };
  }

  // ------------------------------------------------------------ random games

  // Plays random games from one store, as `Engine.playouts` of Python does with the same seed.
  class RandomGames {
    constructor(module, seats, options, seed) {
      Object.assign(this, { module, seats });
      this.module.seed(seed);
      const begun = module.blank(seats, options, 0);
      const at = module.plan.memory.begun;
      module.words[at] = begun.length;
      module.words.set(begun, at + 1);
      this.games = this.decisions = this.gaveUp = 0;
      this.wins = Array(seats).fill(0);
      this.sums = null;
      this.digests = [];
    }

    // Play one game, to its end or to where the module gives up.
    play() {
      const { module } = this;
      try {
        this.decisions += module.call("playouts", 1, MOST);
      } catch (fault) {
        if (!(fault instanceof GaveUp)) throw fault;
        this.gaveUp += 1;
        this.reasons = { ...this.reasons, [fault.reason]: (this.reasons?.[fault.reason] || 0) + 1 };
        return;
      }
      this.games += 1;
      this.digests.push(digest(module.store()));
      const { scores, winners } = resultOf(module, this.seats);
      for (const seat of winners || []) this.wins[seat - 1] += 1 / winners.length;
      if (scores.length) this.sums = (this.sums || Array(this.seats).fill(0)).map((sum, n) => sum + scores[n]);
    }

    // One digest of all games: of the digests of their last stores, one after the other.
    get digest() {
      return rw.digestOfText(this.digests.join(""));
    }
  }

  Object.assign(rw, { Game, RandomGames, same });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
