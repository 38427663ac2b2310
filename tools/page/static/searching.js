// A bot that searches: the tree that the module grows (`interpreter/bots/searching.py`), a little at a time, so that the
// page goes on meanwhile.
"use strict";
(function (rw) {
  const { GaveUp } = rw;
  const STEP = 10; // iterations between two looks at the clock
  const ITERATIONS = 200; // of a bot without a level
  const MOST = 5000;

  class Search {
    // Of the question of the game. `iterations`: in all.
    constructor(game, iterations) {
      Object.assign(this, { game, iterations, grown: 0, place: 0 });
      game.restore();
      this.options = game.module.options();
      game.module.call("tree_root", game.store.length, this.options.length);
    }

    get isGrown() {
      return this.grown === this.iterations;
    }

    // Grow the tree for so many milliseconds, or until it has all its iterations. Raises GaveUp.
    grow(milliseconds) {
      const end = performance.now() + milliseconds;
      while (!this.isGrown && performance.now() < end) {
        this.grown = Math.min(this.iterations, this.grown + STEP);
        this.growTo(this.grown);
      }
      this.game.restore();
    }

    // An iteration in which the module gives up counts for nothing.
    growTo(iterations) {
      const { module } = this.game;
      const { scale, cut, exploring } = module.plan.bots;
      const seat = this.game.question.seat;
      for (;;) {
        try {
          this.place = module.call("tree_grown", iterations, seat, scale, cut, exploring);
          return;
        } catch (fault) {
          const searched = module.get("searched");
          if (!(fault instanceof GaveUp) || !searched || searched > iterations) throw fault;
        }
      }
    }

    get option() {
      return this.options[this.place];
    }
  }

  const RANDOM = "random", NOVICE = "novice", GREEDY = "greedy", SEARCH = "search";
  const SLIPS = 5; // one of so many answers of a novice is random

  // The bots that can be had, the weakest first.
  function levelsOf(plan) {
    if (!plan.bots) return [RANDOM];
    return [RANDOM, ...(plan.bots.judges ? [NOVICE, GREEDY] : []), ...Object.keys(plan.bots.searches), SEARCH];
  }

  // The iterations of a bot; 0 for one that does not search. `trials`: those of `search`.
  function iterationsOf(plan, bot, trials) {
    if (!plan.bots) return 0;
    return bot === SEARCH ? Math.max(1, Math.min(MOST, Math.trunc(trials) || ITERATIONS)) : plan.bots.searches[bot] || 0;
  }

  // Whether a bot gives its next answer for points.
  const isGreedy = (bot) => bot === GREEDY || (bot === NOVICE && Math.random() * SLIPS >= 1);

  Object.assign(rw, { Search, levelsOf, iterationsOf, isGreedy, RANDOM, GREEDY, SEARCH, ITERATIONS, MOST_ITERATIONS: MOST });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
