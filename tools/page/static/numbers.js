// Numbers of the engine: digests (BLAKE2b), Python's generator seeded by a number, the generator of a game, rounding.
"use strict";
(function (rw) {
  const IV = [
    0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
    0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
  ];
  const ORDER = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ];
  const v = new Uint32Array(32);
  const m = new Uint32Array(32);

  // v[a] += v[b] (+ m[c]), numbers of 64 bits as two words.
  function plus(a, low, high) {
    const sum = v[a] + low;
    v[a + 1] += high + (sum >= 0x100000000 ? 1 : 0);
    v[a] = sum;
  }

  function mix(a, b, c, d, x, y) {
    plus(a, v[b], v[b + 1]);
    plus(a, m[x], m[x + 1]);
    let low = v[d] ^ v[a], high = v[d + 1] ^ v[a + 1];
    v[d] = high;
    v[d + 1] = low;
    plus(c, v[d], v[d + 1]);
    low = v[b] ^ v[c];
    high = v[b + 1] ^ v[c + 1];
    v[b] = (low >>> 24) ^ (high << 8);
    v[b + 1] = (high >>> 24) ^ (low << 8);
    plus(a, v[b], v[b + 1]);
    plus(a, m[y], m[y + 1]);
    low = v[d] ^ v[a];
    high = v[d + 1] ^ v[a + 1];
    v[d] = (low >>> 16) ^ (high << 16);
    v[d + 1] = (high >>> 16) ^ (low << 16);
    plus(c, v[d], v[d + 1]);
    low = v[b] ^ v[c];
    high = v[b + 1] ^ v[c + 1];
    v[b] = (high >>> 31) ^ (low << 1);
    v[b + 1] = (low >>> 31) ^ (high << 1);
  }

  // The digest of bytes, of so many bytes.
  function blake2b(bytes, size) {
    const h = new Uint32Array(IV);
    h[0] ^= 0x01010000 ^ size;
    const block = new Uint8Array(128);
    const words = new DataView(block.buffer);
    let at = 0;
    do {
      const end = Math.min(at + 128, bytes.length);
      const last = end === bytes.length;
      block.fill(0);
      block.set(bytes.subarray(at, end));
      at = end;
      for (let i = 0; i < 32; i++) m[i] = words.getUint32(4 * i, true);
      v.set(h);
      v.set(IV, 16);
      v[24] ^= at;
      if (last) {
        v[28] = ~v[28];
        v[29] = ~v[29];
      }
      for (let round = 0; round < 12; round++) {
        const s = ORDER[round % 10];
        for (let i = 0; i < 4; i++) {
          mix(2 * i, 8 + 2 * i, 16 + 2 * i, 24 + 2 * i, 2 * s[2 * i], 2 * s[2 * i + 1]);
        }
        mix(0, 10, 20, 30, 2 * s[8], 2 * s[9]);
        mix(2, 12, 22, 24, 2 * s[10], 2 * s[11]);
        mix(4, 14, 16, 26, 2 * s[12], 2 * s[13]);
        mix(6, 8, 18, 28, 2 * s[14], 2 * s[15]);
      }
      for (let i = 0; i < 16; i++) h[i] ^= v[i] ^ v[i + 16];
    } while (at < bytes.length);
    return new Uint8Array(h.buffer, 0, size).slice();
  }

  const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

  // The digest of a store, as `State.digest` of Python gives it.
  function digest(words) {
    const bytes = new Uint8Array(4 * words.length);
    const view = new DataView(bytes.buffer);
    words.forEach((word, n) => view.setInt32(4 * n, word, true));
    return hex(blake2b(bytes, 16));
  }

  // The digest of a text.
  const digestOfText = (text) => hex(blake2b(new TextEncoder().encode(text), 16));

  // The state of Python's generator after `Random(seed)`: 624 words, and where it stands.
  function twister(seed) {
    const key = [];
    let rest = BigInt(seed) < 0n ? -BigInt(seed) : BigInt(seed);
    do {
      key.push(Number(rest & 0xffffffffn));
      rest >>= 32n;
    } while (rest);
    const mt = new Uint32Array(625);
    mt[0] = 19650218;
    for (let i = 1; i < 624; i++) mt[i] = Math.imul(1812433253, mt[i - 1] ^ (mt[i - 1] >>> 30)) + i;
    let i = 1, j = 0;
    for (let k = Math.max(624, key.length); k; k--) {
      mt[i] = (mt[i] ^ Math.imul(mt[i - 1] ^ (mt[i - 1] >>> 30), 1664525)) + key[j] + j;
      i++;
      j++;
      if (i >= 624) {
        mt[0] = mt[623];
        i = 1;
      }
      if (j >= key.length) j = 0;
    }
    for (let k = 623; k; k--) {
      mt[i] = (mt[i] ^ Math.imul(mt[i - 1] ^ (mt[i - 1] >>> 30), 1566083941)) - i;
      i++;
      if (i >= 624) {
        mt[0] = mt[623];
        i = 1;
      }
    }
    mt[0] = 0x80000000;
    mt[624] = 624;
    return mt;
  }

  const MIXERS = [[30n, 0xbf58476d1ce4e5b9n], [27n, 0x94d049bb133111ebn]];

  // 64 bits that follow from a number, as `interpreter.core.rng` mixes them.
  function mixed(number) {
    let bits = BigInt.asUintN(64, number + 0x9e3779b97f4a7c15n);
    for (const [shift, factor] of MIXERS) bits = BigInt.asUintN(64, (bits ^ (bits >> shift)) * factor);
    return bits ^ (bits >> 31n);
  }

  // The three words of the generator of a game with this seed.
  function gameWords(seed) {
    const number = BigInt(seed), state = mixed(mixed(number) ^ (number >> 64n));
    return [Number(state & 0x3fffffn), Number((state >> 22n) & 0x3fffffn), Number(state >> 44n)];
  }

  // The two words of the generator of a bot with this seed.
  function generator(seed) {
    const bits = mixed(seed);
    return [Number(BigInt.asIntN(32, bits)), Number(BigInt.asIntN(32, bits >> 32n))];
  }

  // A number with one decimal, as Python rounds it: halves that can be written exactly go to the even side.
  function tenth(x) {
    const rest = Math.abs(x) % 1;
    if (rest === 0.25) return Math.sign(x) * (Math.trunc(Math.abs(x)) + 0.2);
    return Number(x.toFixed(1)) + 0;
  }

  Object.assign(rw, { digest, digestOfText, twister, generator, gameWords, tenth });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
