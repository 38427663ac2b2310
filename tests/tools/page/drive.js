// Drives the scripts of a page for a test: a game with given answers, random games, or what is seen of given stores.
async (job) => {
  const rw = globalThis.Rulewright;
  const { module } = rw.page;
  const texts = (job.langs || []).map((lang) => new rw.Texts(module.plan, lang));
  const found = {};
  if (job.random) {
    const run = new rw.RandomGames(module, job.seats, {}, job.seed);
    for (let n = 0; n < job.random; n++) run.play();
    Object.assign(found, { games: run.games, decisions: run.decisions, gaveUp: run.gaveUp, digest: run.digest,
      wins: run.wins, sums: run.sums });
  }
  if (job.answers) {
    const game = new rw.Game(module);
    game.begin(job.seats, job.options || {}, job.seed);
    found.steps = [];
    for (let n = 0; n <= job.answers.length && !game.gaveUp; n++) {
      const step = { digest: game.digest, over: game.over };
      if (job.looks.includes(n)) {
        step.views = {};
        for (const t of texts) {
          for (let seat = 0; seat <= job.seats; seat++) {
            step.views[`${t.lang}${seat}`] = { picture: game.picture(t, seat), lines: game.lines(t, seat) };
          }
          if (game.question) step[t.lang] = [game.prompt(t), game.optionTexts(t)];
        }
        step.unchanged = game.digest === step.digest;
      }
      found.steps.push(step);
      if (n === job.answers.length) break;
      const [kind, ...codes] = job.answers[n];
      const same = (o) => o.kind === kind && (!codes.length || String([o.code, ...o.values]) === String(codes));
      game.answer(game.options.find(same));
    }
    found.gaveUp = game.gaveUp;
    if (game.over) found.result = game.result();
  }
  if (job.bots) {
    const game = new rw.Game(module);
    module.seed(BigInt(job.seed));
    game.begin(job.seats, {}, job.seed);
    while (!game.over && game.botAnswers(job.bots === "greedy")) { /* the next answer */ }
    Object.assign(found, { over: game.over, gaveUp: game.gaveUp, digest: game.digest, result: game.result(),
      saved: game.past.map((before) => before.given) });
  }
  if (job.given) {
    const game = new rw.Game(module);
    game.begin(job.seats, job.options || {}, job.seed);
    const said = (found) => found && [game.prompt(texts[0], found.question), game.optionTexts(texts[0], found.question, found.options)];
    const look = () => {
      const step = { digest: game.digest, lines: [], asked: [], moments: [] };
      for (let seat = 0; seat <= job.seats; seat++) step.lines.push(game.lines(texts[0], seat).slice(-job.lines));
      for (let seat = 1; seat <= job.seats; seat++) {
        step.asked.push(said(rw.questionFor(game, seat)));
        step.moments.push(said(rw.momentsFor(game, seat))?.[1] || []);
      }
      return { ...step, unchanged: game.digest === step.digest };
    };
    found.looks = [look()];
    for (const one of job.given) {
      if (rw.replayed(game, [one]) !== 1) break;
      found.looks.push(look());
    }
    found.gaveUp = game.gaveUp;
    found.saved = game.past.map((before) => before.given);
  }
  if (job.stores) {
    found.pictures = job.stores.map((store) => {
      module.put(Int32Array.from(store));
      return rw.pictureOf(module, texts[0], job.seat, { asked: 0, question: () => "", over: false });
    });
  }
  return found;
}
