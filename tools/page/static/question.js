// A pending question and its answers in words, and the lines of the log (`interpreter/session/decision.py`, `log.py`).
"use strict";
(function (rw) {
  const { AT, LINK, GaveUp, squeeze, wayOf, wayText } = rw;
  const SHORT = ["ready", "decline"];
  const INT = { is: "int" };

  const pickKeys = (address, name) => [
    ...(name ? [`${address}.${name}.pick`, `${address}.${name}`, `${name}.pick`, name] : []), `${address}.pick`];
  const doneKeys = (address, name) => [...(name ? [`${address}.${name}.done`, `${name}.done`] : []), `${address}.done`];

  // The question that the store in memory waits for.
  class Question {
    constructor(module) {
      this.module = module;
      this.plan = module.plan;
      this.words = module.words;
      this.number = this.words[AT.SITE] - 1;
      this.site = this.plan.sites[this.number];
      this.frame = this.words[AT.FP] + LINK;
      this.seats = this.words[AT.SEATS];
      this.actor = module.read(this.site.actor, this.site.actor_type);
      this.seat = module.seatNumber(module.read(this.site.seat, this.site.actor_type));
      this.cursor = this.site.cursor >= 0 ? this.words[this.frame + this.site.cursor] : 0;
      this.plans = this.words[AT.PLAN];
      this.place = this.site.at_once ? this.words[this.frame + this.site.at_once[1]] : 0;
    }

    // The option that is taken without asking; null where there is a choice.
    forced(options) {
      if (this.site.default) return options[0] || null;
      if (options.length !== 1 || options[0].kind === "decline") return null;
      return this.site.always && !this.isFull(options[0]) ? null : options[0];
    }

    isFull(option) {
      return option.kind === "ready" && this.site.full !== undefined && this.module.call(`read${this.site.full}`) !== 0;
    }

    // The seats that may see the answer; null: all.
    audience() {
      if (this.site.audience === undefined) return null;
      const type = { is: "set", words: this.site.audience.words };
      const seats = this.module.read(this.site.audience.read, type).map((t) => this.module.seatNumber(t)).filter(Boolean);
      return this.toldTo([...new Set([...seats, this.seat])].sort((a, b) => a - b));
    }

    // The seats that are told something; null, which is everybody, where all of several are.
    toldTo(seats) {
      return seats !== null && this.seats > 1 && new Set(seats).size >= this.seats ? null : seats;
    }

    // The placeholders of the log line of an answer that name, or are read off, what was chosen openly among hidden
    // things, each with these things; an empty one for those of the option itself.
    namedThings(option) {
      const own = this.site.named ? this.values(option).map(([name, value]) => [name, this.thingsOf(value)]) : [];
      const found = own.length ? [...own, ["", own.flatMap(([, things]) => things)]] : [];
      for (const [name, , , one] of this.logged) {
        if (one.openly || !one.about) continue;
        const read = one.about.reads.map(({ read, type }) => ({ value: this.module.read(read, type), type }));
        const things = [...one.about.args.flatMap((n) => own[n]?.[1] || []), ...read.flatMap((value) => this.thingsOf(value))];
        if (things.length) found.push([name, things]);
      }
      return found;
    }

    thingsOf({ value, type }) {
      const of = type.is === "set" ? type.item : type;
      if (of?.is !== "member" || this.plan.domains[of.domain].sort === "enum") return [];
      return Array.isArray(value) ? value : value ? [value] : [];
    }

    alternative(option) {
      return SHORT.includes(option.kind) ? null : this.site.alternatives[altOf(option)] || null;
    }

    // The names of the binders with the values that an option gives them; the amount last.
    values(option) {
      const binders = this.alternative(option)?.binders || [];
      const rows = binders.slice(0, option.values.length).map(([name, type], n) => [name, { value: option.values[n], type }]);
      if (option.kind === "amount" || (option.kind === "number" && !rows.length)) {
        rows.push([squeeze(this.site.amount), { value: option.values.at(-1), type: INT }]);
      }
      return rows;
    }

    // The values from the store that texts name, with the seats that may see them (null: all).
    textValues(wanted, option) {
      const args = option ? option.values : [];
      const found = [];
      for (const one of wanted) {
        let value;
        const given = args.slice(0, one.args);
        while (given.length < one.args) given.push(0);
        try {
          if (this.module.unread.has(one.read)) throw new GaveUp("gap");
          value = this.module.read(one.read, one.type, given);
        } catch (fault) {
          if (!(fault instanceof GaveUp)) throw fault;
          if (fault.reason === "gap") found.push([one.name, "?", null, one]);
          this.module.put(this.held);
          continue;
        }
        let seats = null;
        if (this.module.hides(one.read, 0, given)) {
          seats = range(1, this.seats).filter((seat) => !this.module.hides(one.read, seat, given));
        }
        if (one.kept) seats = !one.unseen && (seats === null || seats.includes(this.seat)) ? [this.seat] : [];
        found.push([one.name, { value, type: one.type }, this.toldTo(seats), one]);
      }
      return found;
    }

    // The values that the log line of an answer may name.
    logValues(option) {
      const wanted = SHORT.includes(option.kind) ? this.site.ending : this.alternative(option)?.values || this.site.ending;
      const own = new Set(this.values(option).map(([name]) => name));
      const found = this.logged = this.textValues(wanted.filter((one) => !own.has(one.name)), option);
      const others = range(1, this.seats).filter((seat) => seat !== this.seat);
      return found.map(([name, value, seats, one]) => {
        if (!one.openly) return [name, value, seats];
        return [name, value, this.plans && seats !== null && !seats.includes(this.seat) ? others : null];
      });
    }

    // ---------------------------------------------------------- words

    prompt(texts) {
      const { address } = this.site;
      const template = texts.found(`${address}.ask`, address);
      if (!template?.text) {
        if (this.site.gain === undefined) return address;
        return texts.engine(this.site.gain ? "how_to_gain" : "how_to_pay");
      }
      return this.filled(texts, template, null);
    }

    optionText(texts, option) {
      const { address } = this.site;
      if (SHORT.includes(option.kind)) return texts.find(`${address}.${option.kind}`) || texts.engine(option.kind);
      const way = this.way(option);
      if (way) return wayText(this.plan, texts, way);
      const name = this.alternative(option)?.case || "";
      const template = texts.found(...pickKeys(address, name));
      if (template?.text) return this.filled(texts, template, option);
      const shown = this.values(option).map(([, { value, type }]) => texts.value(value, type));
      return (name ? [name, ...shown] : shown).join(" ") || option.kind;
    }

    filled(texts, template, option) {
      const named = new Map();
      const wanted = option ? this.alternative(option)?.values || [] : this.site.asked;
      const used = wanted.filter((one) => usesName(template.text, one.name));
      for (const [name, value, seats] of this.textValues(used, option)) {
        named.set(name, seats !== null && !seats.includes(this.seat) ? texts.engine("hidden") : value);
      }
      for (const [name, value] of option ? this.values(option) : []) named.set(name, value);
      if (!named.has("actor")) named.set("actor", { value: this.actor, type: this.site.actor_type });
      return texts.fill(template, named);
    }

    // What an option pays or gains, if that is the question; null where the module cannot say.
    way(option) {
      if (this.site.gain === undefined || SHORT.includes(option.kind)) return null;
      try {
        return wayOf(this.module, this, option.values.at(-1));
      } catch (fault) {
        if (!(fault instanceof GaveUp)) throw fault;
        this.module.put(this.held);
        return null;
      }
    }

    // The entry of an answer for the log, made before it is carried out.
    entry(option, automatic) {
      const named = this.logValues(option);
      const about = this.namedThings(option);
      const known = new rw.Reader(this.module, null, 0, 0).knowers(about.flatMap(([, things]) => things));
      return {
        about, known,
        automatic: automatic && !(this.site.always && this.cursor),
        site: this.number, option, seat: this.seat, actor: this.actor, own: this.values(option),
        named, audience: this.audience(), waits: this.site.waits,
        case: this.alternative(option)?.case || "", way: automatic && this.site.default ? null : this.way(option),
      };
    }
  }

  // The number of the alternative that an option takes.
  const altOf = (option) => (option.kind === "pick" || option.kind === "number" ? option.code - 1 : 0);

  const usesName = (text, name) => [...text.matchAll(/\{([^{}]*)\}/g)].some(([, inside]) => squeeze(inside.split("|")[0]) === name);

  const range = (low, high) => Array.from({ length: Math.max(0, high - low + 1) }, (_, n) => low + n);

  // ------------------------------------------------------------ lines of the log

  // The line of an entry for a seat (0: an onlooker); empty if there is nothing to report.
  function narrate(plan, texts, entry, seat) {
    if (entry.event) return chanceLine(plan, texts, entry, seat);
    const site = plan.sites[entry.site];
    const { address } = site;
    const form = entry.option.kind;
    const short = SHORT.includes(form);
    const actor = texts.value(entry.actor, site.actor_type);
    if (entry.audience !== null && !entry.audience.includes(seat)) {
      if (form === "add" || form === "amount") return ""; // said once, when the answer is complete
      const template = texts.found(...(short ? [`${address}.${form}.secret`] : []), `${address}.secret`);
      if (template === null) return texts.engine("hidden_choice", { actor });
      return texts.fill(template, new Map([["actor", actor]]));
    }
    if (entry.automatic && site.default) return "";
    const template = texts.found(...(short ? [`${address}.${form}.done`] : doneKeys(address, entry.case)));
    if (template?.text === "" || (form === "ready" && !template)) return "";
    let line;
    if (template) line = logged(texts, site, entry, template, seat);
    else if (entry.way) {
      line = texts.engine(site.gain ? "gains" : "pays", { actor, way: wayText(plan, texts, entry.way) });
    } else line = texts.engine("choice", { actor, answer: answerText(texts, site, entry, seat) });
    return entry.automatic ? texts.engine("automatic", { line }) : line;
  }

  function chanceLine(plan, texts, { event, value, audience }, seat) {
    const template = texts.find(`${event.address}.done`);
    if (event.is === "shuffle") return template ?? texts.engine("shuffle", { zone: event.address });
    const isSeen = audience === null || audience.includes(seat);
    const isThing = event.type?.is === "member" && plan.domains[event.type.domain].sort !== "enum";
    const shown = event.type ? texts.value(value, event.type) : String(value);
    const answer = isSeen ? shown : texts.engine(isThing ? "hidden" : "hidden_value");
    return template ? template.replaceAll("{answer}", answer) : texts.engine("chance", { answer });
  }

  function logged(texts, site, entry, template, seat) {
    const values = new Map();
    for (const [name, value] of entry.own) values.set(name, said(texts, value));
    for (const [name, value, seats] of entry.named) {
      values.set(name, seats !== null && !seats.includes(seat) ? texts.engine("hidden") : said(texts, value));
    }
    for (const [name, things] of entry.about) {
      if (name && things.some((thing) => isUnnamed(entry, thing, seat))) values.set(name, texts.engine("hidden"));
    }
    values.set("actor", { value: entry.actor, type: site.actor_type });
    return texts.fill(template, values);
  }

  // Whether the line of an entry names a thing, but not to this seat.
  const isUnnamed = (entry, thing, seat) => entry.known.has(thing) && !entry.known.get(thing).includes(seat);

  // A value as the log holds it: members, sets of members, numbers and truths as values, all else in words.
  function said(texts, value) {
    if (typeof value === "string") return value;
    const { type } = value;
    if (["member", "int", "bool"].includes(type.is) || (type.is === "set" && type.item.is === "member")) return value;
    return texts.id(value.value, type);
  }

  function answerText(texts, site, entry, seat) {
    if (SHORT.includes(entry.option.kind)) return texts.engine(entry.option.kind);
    const template = texts.found(...pickKeys(site.address, entry.case));
    if (template?.text) return logged(texts, site, entry, template, seat);
    const things = new Map(entry.about);
    const shown = entry.own.map(([name, { value, type }]) => {
      const isHidden = (things.get(name) || []).some((thing) => isUnnamed(entry, thing, seat));
      return isHidden ? texts.engine("hidden") : texts.value(value, type);
    });
    return (entry.case ? [entry.case, ...shown] : shown).join(" ");
  }

  Object.assign(rw, { Question, narrate });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
