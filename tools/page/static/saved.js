// A game as a text for a link or a file: what it was begun with, and its answers. Nothing of a store is in it.
"use strict";
(function (rw) {
  const { KINDS } = rw;
  const [OWN, MEMBER, MOMENT, PAYING] = [0, 1, 2, 4]; // whose question was answered; whether ways to pay were asked for
  const FORM = 2;
  const MOST = 200000; // answers

  // An answer: how it was given, by which member or seat, and the option.
  function recorded(option, from, paying) {
    const how = from.moment ? MOMENT : from.member !== undefined ? MEMBER : OWN;
    return [how + (paying ? PAYING : 0), from.moment || from.member || 0, KINDS.indexOf(option.kind), option.code,
      ...option.values];
  }

  // All that is needed to play the game again. `setup`: seats, options, seed and players, as the page holds them.
  function savedGame(game, setup) {
    const { id, digest } = game.plan;
    return { rulewright: FORM, id, digest, seats: setup.seats, options: setup.options, seed: String(setup.seed),
      players: setup.players.slice(0, setup.seats), trials: setup.trials, answers: game.past.map((before) => before.given) };
  }

  // Why a saved game cannot be opened with this plan, as the key of a phrase; empty if it can be tried.
  function unfit(plan, saved) {
    const isObject = saved !== null && typeof saved === "object";
    if (!isObject || !Number.isInteger(saved.rulewright) || !Array.isArray(saved.answers)) return "no_save";
    if (saved.rulewright !== FORM || saved.id !== plan.id || saved.digest !== plan.digest) return "other_save";
    const [low, high] = plan.seats;
    const whole = (row) => Array.isArray(row) && row.length >= 4 && row.every(Number.isInteger);
    const fits = Number.isInteger(saved.seats) && saved.seats >= low && saved.seats <= high
      && /^\d{1,18}$/.test(String(saved.seed)) && Array.isArray(saved.players) && saved.players.length === saved.seats
      && saved.options !== null && typeof saved.options === "object"
      && plan.options.every(({ name, members }) => members.some(([value]) => value === saved.options[name]))
      && saved.answers.length <= MOST && saved.answers.every(whole);
    return fits ? "" : "no_save";
  }

  // Give the answers of a saved game that has been begun; gives how many could be given.
  function replayed(game, answers) {
    for (const [n, [how, who, kind, code, ...values]] of answers.entries()) {
      const option = { kind: KINDS[kind], code, values };
      const found = asked(game, how % PAYING, who);
      const known = found?.options.find((one) => rw.same(one, option));
      if (!known || !game.answer(known, { from: found.question, paying: how >= PAYING })) return n;
    }
    return answers.length;
  }

  function asked(game, how, who) {
    if (!game.question) return null;
    if (how === MOMENT) return rw.momentsFor(game, who);
    if (how === OWN) return { question: game.question, options: game.options };
    const question = rw.openQuestions(game).find((one) => one.member === who);
    return question ? rw.optionsOf(game, question) : null;
  }

  // ------------------------------------------------------------ as text

  async function through(bytes, stream) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  }

  // A value as letters, digits, `-` and `_`.
  async function packedText(value) {
    const bytes = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate"));
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  // The value of such a text; null if it is none.
  async function unpackedText(text) {
    try {
      const bytes = Uint8Array.from(atob(text.trim().replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
      return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate"))));
    } catch {
      return null;
    }
  }

  Object.assign(rw, { recorded, savedGame, unfit, replayed, packedText, unpackedText });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
