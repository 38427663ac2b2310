// Ways to pay and to gain in words (`interpreter/rules/payments.py`): what each spends, and what comes back.
"use strict";
(function (rw) {
  const { boundsOf, keysOf } = rw;

  const holds = (type) => boundsOf(type)[1] - boundsOf(type)[0] + 1;

  // The parts of the way with a number, at the question in memory. Raises GaveUp.
  function wayOf(module, question, number) {
    const { words, plan } = module;
    const { size, head, row, counts, at } = plan.purse;
    const purse = module.call(`ways${question.number}`);
    const way = module.call("way", purse, number);
    const many = words[purse + size];
    const parts = (first) => Array.from({ length: many }, (_, n) => [words[purse + head + n * row + at], words[first + n]])
      .filter(([, n]) => n).map(([address, n]) => ({ ...placed(plan, address, question.actor), n }));
    const spent = parts(way + counts), back = parts(way + counts + many);
    return question.site.gain ? { spent: back, back: [] } : { spent, back };
  }

  // The zone to which a word belongs: its number in the layout, its holder (0: none, or the one that pays), and the
  // number of its key.
  function placed(plan, address, payer) {
    let found = -1;
    plan.layout.forEach((entry, n) => {
      const end = entry.base + entry.dims.reduce((count, dim) => count * holds(dim), 1) * entry.type.width;
      if (entry.base <= address && address < end) found = n;
    });
    if (found < 0) return { entry: found, holder: 0, key: -1 };
    const entry = plan.layout[found];
    const thing = entry.owned ? entry.first + Math.floor((address - entry.base) / entry.step) : 0;
    const key = entry.type.is === "map" ? (address - entry.base) % entry.type.width : -1;
    return { entry: found, holder: thing === payer ? 0 : thing, key };
  }

  // A way in words.
  function wayText(plan, texts, { spent, back }) {
    const joined = (parts) => parts.map((part) => partText(plan, texts, part)).join(texts.engine("and"));
    return back.length ? texts.engine("change", { spent: joined(spent), back: joined(back) }) : joined(spent);
  }

  function partText(plan, texts, { entry, holder, key, n }) {
    if (entry < 0) return texts.engine("pieces", { n, what: "?" });
    const { symbol, type } = plan.layout[entry];
    const shown = [texts.find(symbol) || symbol.split(".").pop()];
    if (key >= 0) {
      keysOf(type.keys)[key].forEach((value, k) => {
        if (type.keys[k].is !== "int") shown.push(texts.value(value, type.keys[k]));
      });
    }
    if (holder) shown.push(`(${texts.memberName(plan.things.kinds[holder], holder)})`);
    return texts.engine("pieces", { n, what: shown.join(" ") });
  }

  Object.assign(rw, { wayOf, wayText });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
