// The tab of random games: what is to be played, and what has come out.
"use strict";
(function (rw) {
  const { tag, RandomGames } = rw;
  const SLICE = 30; // milliseconds of games between two looks at the page

  class GamesTab {
    // `setup`: number of seats, options, seed and number of games, the last two as they are typed.
    constructor(page, setup) {
      Object.assign(this, { page, setup });
      this.run = null;
      this.playing = false;
      this.spent = this.left = 0;
    }

    shown() {
      const { page, setup } = this;
      const form = tag("form", { onsubmit: (e) => { e.preventDefault(); this.begin(); } },
        tag("div", { class_: "bar" }, page.settings(setup, "games"),
          page.labelled(page.say("count"), tag("input", { id: "count", type: "number", min: 1, max: 100000,
            value: setup.count, oninput: (e) => { setup.count = e.target.value; } })),
          tag("button", { id: "start", type: "submit" }, page.say(this.playing ? "stop" : "start"))));
      return tag("div", {}, form, tag("section", { id: "results", "aria-live": "polite" }, this.results()));
    }

    get isOpen() {
      return this.page.tab === "games";
    }

    begin() {
      if (this.playing) {
        this.playing = false;
        return this.page.render();
      }
      const seed = rw.asSeed(this.setup.seed);
      const count = Math.trunc(Number(this.setup.count));
      if (seed === null || !(count >= 1)) return undefined;
      this.run = new RandomGames(this.page.module, this.setup.seats, this.setup.options, seed);
      this.spent = 0;
      this.left = count;
      this.playing = true;
      return this.play();
    }

    play() {
      const begun = performance.now();
      while (this.playing && this.left && this.isOpen && performance.now() < begun + SLICE) {
        this.run.play();
        this.left -= 1;
      }
      this.spent += performance.now() - begun;
      this.playing = this.playing && this.left > 0 && this.isOpen;
      if (this.isOpen) this.page.render();
      if (this.playing) setTimeout(() => this.play());
    }

    results() {
      const { page, run } = this;
      if (!run) return null;
      const rows = [tag("p", { id: "played" }, page.say("played", { games: run.games, answers: run.decisions,
        rate: Math.round((run.games * 1000) / Math.max(this.spent, 1)) }))];
      if (run.gaveUp) {
        const why = Object.entries(run.reasons).map(([reason, n]) => `${page.say(`reason_${reason}`)} ${n}`).join(", ");
        rows.push(tag("p", { class_: "notice", id: "given-up" }, page.say("given_up", { games: run.gaveUp, why })));
      }
      if (run.games) {
        const share = (n) => `${((100 * n) / run.games).toFixed(1)} %`;
        const heads = ["seat", "wins", ...(run.sums ? ["score"] : [])].map((key) => tag("th", { scope: "col" }, page.say(key)));
        const body = run.wins.map((n, at) => tag("tr", {}, tag("th", { scope: "row" }, page.seatName(at + 1)),
          tag("td", {}, share(n)), run.sums ? tag("td", {}, (run.sums[at] / run.games).toFixed(2)) : null));
        rows.push(tag("table", {}, tag("thead", {}, tag("tr", {}, heads)), tag("tbody", {}, body)));
        rows.push(tag("p", {}, tag("span", { class_: "soft" }, page.say("digest")), " ",
          tag("span", { class_: "digest", id: "games-digest" }, run.digest)));
      }
      return rows;
    }
  }

  Object.assign(rw, { GamesTab, SLICE });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
