// The module of a game: its memory, its functions, and the values that it gives.
"use strict";
(function (rw) {
  // Words of the header of a store that the page reads (`dsl/program.py`).
  const AT = { FP: 1, SITE: 3, PLAN: 5, PLAN_SEAT: 6, RNG: 9, SEATS: 16, OVER: 17 };
  const STATE = 2; // words of a generator of a bot
  const LINK = 3; // words of a frame before its variables
  const REASONS = ["fault", "budget", "room", "range", "lost", "endless", "gap"];
  const KINDS = ["pick", "number", "add", "amount", "ready", "decline"];

  // The module has given up: nothing of what it did since the store was put there counts.
  class GaveUp extends Error {
    constructor(reason) {
      super(reason);
      this.reason = reason;
    }
  }

  async function inflated(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // The module and the plan of the game that is packed in a script.
  async function load(packed) {
    const plan = JSON.parse(new TextDecoder().decode(await inflated(packed.plan)));
    const { instance } = await WebAssembly.instantiate(await inflated(packed.code), {});
    let secrets = null;
    if (packed.secrets) secrets = (await WebAssembly.instantiate(await inflated(packed.secrets), {})).instance.exports;
    return new Module(instance.exports, plan, secrets);
  }

  class Module {
    constructor(exports, plan, secrets) {
      this.exports = exports;
      this.plan = plan;
      this.secrets = secrets;
      this.words = new Int32Array(exports.memory.buffer);
      this.hidden = secrets && new Int32Array(secrets.memory.buffer);
      this.closed = new Set(plan.closed);
      this.unread = new Set(plan.unread);
      this.seatThings = plan.domains[plan.seat_kind].values;
    }

    // The thing of a seat.
    seatThing(seat) {
      return this.seatThings[seat - 1];
    }

    // The number of the seat that a thing is; 0 if it is none.
    seatNumber(thing) {
      return this.seatThings.indexOf(thing) + 1;
    }

    // The result of a function. Raises GaveUp.
    call(name, ...args) {
      return Number(this.long(name, args));
    }

    long(name, args) {
      try {
        return this.exports[name](...args.map(BigInt));
      } catch (fault) {
        if (!(fault instanceof WebAssembly.RuntimeError)) throw fault;
        const reason = REASONS[Number(this.exports.reason.value) - 1] || "range";
        this.exports.reason.value = 0n;
        throw new GaveUp(reason);
      }
    }

    get(name) {
      return Number(this.exports[name].value);
    }

    // ---------------------------------------------------------- stores

    // A copy of the store.
    store() {
      return this.words.slice(0, this.get("sp"));
    }

    // Go on with a store.
    put(store) {
      this.words.set(store);
      this.call("begin", store.length);
    }

    // The store of a new game before anything has run.
    blank(seats, options, seed) {
      const store = new Int32Array(this.plan.begin.length);
      for (const [at, word] of this.plan.begin.words) store[at] = word;
      store[AT.SEATS] = seats;
      for (const option of this.plan.options) store[option.address] = options[option.name] ?? option.default;
      store.set(rw.gameWords(seed), AT.RNG);
      return store;
    }

    // The store with which the open plan began.
    planned() {
      const at = this.plan.memory.planned;
      return this.words.slice(at + 1, at + 1 + this.words[at]);
    }

    // The outcomes of chance that are noted: the event, what was drawn (of shuffles nothing), and the seats that are its
    // audience (null: none is named). They are taken away.
    notes() {
      const at = this.plan.memory.noted;
      const end = at + 1 + this.words[at];
      const found = [];
      for (let note = at + 1; note < end; note += 3 + this.words[note + 2]) {
        const event = this.plan.events[this.words[note]];
        const seats = this.words[note + 1];
        const audience = seats < 0 ? null : Array.from({ length: 31 }, (_, n) => n).filter((n) => (seats >>> n) & 1);
        found.push({ event, value: event.is === "shuffle" ? 0 : this.words[note + 3], audience });
      }
      this.words[at] = 0;
      return found;
    }

    // Seed the generator of random play, and those of bots that judge or search: for their choices, and for actions at
    // any moment.
    seed(number) {
      const { mersenne, bots } = this.plan.memory;
      this.words.set(new Int32Array(rw.twister(number).buffer), mersenne);
      if (bots) {
        this.words.set(rw.generator(BigInt(number)), bots);
        this.words.set(rw.generator(~BigInt(number)), bots + STATE);
      }
    }

    // ---------------------------------------------------------- options

    // The options of the pending question, in their order; `all`: all ways to pay, not the usual one alone.
    options(all = false) {
      if (!this.words[AT.SITE]) return [];
      this.call(all ? "relist_all" : "relist");
      return Array.from({ length: this.get("count") }, (_, n) => this.option(n));
    }

    option(n) {
      const at = this.plan.memory.options + n * this.plan.memory.stride;
      const [kind, code, count] = this.words.subarray(at, at + 3);
      const values = Array.from(this.words.subarray(at + 3, at + 3 + count));
      return { kind: KINDS[kind], code, values: KINDS[kind] === "ready" || KINDS[kind] === "decline" ? [] : values };
    }

    // ---------------------------------------------------------- values

    // The value of a reading. Raises GaveUp.
    read(number, type, args = []) {
      return this.decoded(this.long(`read${number}`, args), type);
    }

    decoded(found, type) {
      switch (type.is) {
        case "set": {
          const members = [];
          type.words.forEach((word, n) => {
            let bits = BigInt.asUintN(64, n ? this.exports[`result${n}`].value : found);
            for (let bit = 0; bits; bit++, bits >>= 1n) if (bits & 1n) members.push(64 * word + bit);
          });
          return members;
        }
        case "list": {
          const at = Number(found);
          return Array.from(this.words.subarray(at + 1, at + 1 + this.words[at]));
        }
        case "map":
          return Array.from(this.words.subarray(Number(found), Number(found) + type.count));
        case "amounts": {
          const at = Number(found);
          return Array.from({ length: this.words[at] }, (_, n) => [this.words[at + 1 + 2 * n], this.words[at + 2 + 2 * n]]);
        }
      }
      return Number(found);
    }

    // Whether a reading reads what a seat (a number; 0: an onlooker) may not see.
    hides(number, seat, args = []) {
      if (!this.closed.has(number)) return false;
      if (!this.secrets || !this.secrets[`hides${number}`]) return true;
      const length = this.get("sp");
      this.hidden.set(this.words.subarray(0, length));
      try {
        const thing = seat ? this.seatThing(seat) : 0;
        return this.secrets[`hides${number}`](BigInt(thing), ...args.map(BigInt)) !== 0n;
      } catch (fault) {
        if (!(fault instanceof WebAssembly.RuntimeError)) throw fault;
        return true;
      }
    }

    // The value that begins at a word of a store, as `dsl.base.types.unpack` reads it.
    at(words, address, type) {
      switch (type.is) {
        case "set": {
          const members = [];
          for (let n = 0; n < type.width; n++) {
            const bits = words[address + n];
            for (let bit = 0; bit < 31; bit++) if ((bits >>> bit) & 1) members.push(type.item.low + 31 * n + bit);
          }
          return members;
        }
        case "list":
          return Array.from({ length: words[address] }, (_, n) =>
            this.at(words, address + 1 + n * type.item.width, type.item));
        case "map":
          return Array.from({ length: type.count }, (_, n) => this.at(words, address + n * type.item.width, type.item));
        case "amounts":
          return Array.from({ length: words[address] }, (_, n) => [words[address + 1 + 2 * n], words[address + 2 + 2 * n]]);
      }
      return words[address];
    }
  }

  Object.assign(rw, { AT, LINK, KINDS, GaveUp, load });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
