// What may be answered besides the question that stands: by other members of a loop `open to`, and by an action `at any
// moment` (`interpreter/session/interrupts.py`).
"use strict";
(function (rw) {
  const { AT, GaveUp, Question } = rw;

  // What `work` gives, or `otherwise` where the module gives up; the store of the game then stands in memory again.
  function tried(game, otherwise, work) {
    game.restore();
    try {
      return work();
    } catch (fault) {
      if (!(fault instanceof GaveUp)) throw fault;
      return otherwise;
    } finally {
      game.restore();
    }
  }

  // The same question for each member of a loop `open to` whose answer is awaited; none once an answer has been begun.
  function openQuestions(game) {
    const { question, module, store } = game;
    const open = question?.site.open;
    if (!open || store[AT.PLAN] || question.cursor) return [];
    return tried(game, [], () => module.read(open.read, open.type).map((member) => {
      const held = store.slice();
      held[question.frame + open.slot] = member;
      module.put(held);
      return Object.assign(new Question(module), { held, member });
    }));
  }

  // The question that a seat may answer now, with its options; null if there is none.
  function questionFor(game, seat) {
    if (!game.question) return null;
    if (game.question.seat === seat) return { question: game.question, options: game.options };
    const question = openQuestions(game).find((one) => one.seat === seat);
    return question ? optionsOf(game, question) : null;
  }

  // A question that stands beside that of the game, with its options; null where the module gives up.
  function optionsOf(game, question) {
    return tried(game, null, () => {
      game.module.put(question.held);
      return { question, options: game.module.options() };
    });
  }

  // The actions `at any moment` that a seat may take now, as a question with its options; null if there are none.
  function momentsFor(game, seat) {
    const { module, plan } = game;
    if (!plan.moment || !game.question) return null;
    return tried(game, null, () => {
      const count = module.call("moments", seat);
      if (!count) return null;
      const question = Object.assign(game.asked(), { moment: seat });
      return { question, options: Array.from({ length: count }, (_, n) => module.option(n)) };
    });
  }

  // The seats that may answer the question, or another member's; the one who is asked first.
  function openSeats(game) {
    if (!game.question) return [];
    return [...new Set([game.question.seat, ...openQuestions(game).map((one) => one.seat)])];
  }

  Object.assign(rw, { openQuestions, optionsOf, questionFor, momentsFor, openSeats });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
