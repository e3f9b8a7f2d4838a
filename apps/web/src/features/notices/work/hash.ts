/**
 * SHA-256 for work in a browser: thousands of texts a moment that begin alike, which `crypto.subtle` answers far too slowly, one
 * promise each. Blocks that all texts share are digested once.
 */
const ROUND = new Int32Array(64);
const START = new Int32Array(8);
fillConstants();

/** The first 32 bits of the digest of `prefix` and a decimal number, for as many numbers as are asked. */
export function digester(prefix: string): (number: number) => number {
  const bytes = new TextEncoder().encode(prefix);
  const shared = bytes.length - (bytes.length % 64);
  const state = START.slice();
  const words = new Int32Array(64);
  for (let at = 0; at < shared; at += 64) compress(state, words, bytes, at);
  const rest = bytes.length - shared;
  // Room for what is left of the prefix, sixteen digits, and the end mark with the length.
  const tail = new Uint8Array(192);
  tail.set(bytes.subarray(shared));
  const current = new Int32Array(8);
  return (number) => {
    const digits = String(number);
    let end = rest;
    for (let at = 0; at < digits.length; at += 1) tail[end++] = digits.charCodeAt(at);
    const length = Math.ceil((end + 9) / 64) * 64;
    tail.fill(0, end, length);
    tail[end] = 0x80;
    const bits = (shared + end) * 8;
    for (let at = 1; at <= 4; at += 1) tail[length - at] = (bits >>> (8 * (at - 1))) & 255;
    current.set(state);
    for (let at = 0; at < length; at += 64) compress(current, words, tail, at);
    return current[0]! >>> 0;
  };
}

function compress(state: Int32Array, words: Int32Array, bytes: Uint8Array, from: number): void {
  for (let at = 0; at < 16; at += 1) {
    const byte = from + at * 4;
    words[at] = (bytes[byte]! << 24) | (bytes[byte + 1]! << 16) | (bytes[byte + 2]! << 8) | bytes[byte + 3]!;
  }
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [words[at - 15]!, words[at - 2]!];
    const s0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const s1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    words[at] = (words[at - 16]! + s0 + words[at - 7]! + s1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let at = 0; at < 64; at += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[at]! + words[at]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  const added = [a, b, c, d, e, f, g, h];
  for (let at = 0; at < 8; at += 1) state[at] = (state[at]! + added[at]!) | 0;
}

/** The fractions of the roots of the first primes, as the standard defines them. */
function fillConstants(): void {
  const fraction = (value: number) => ((value - Math.floor(value)) * 0x100000000) | 0;
  for (let found = 0, candidate = 2; found < 64; candidate += 1) {
    let isPrime = true;
    for (let by = 2; by * by <= candidate; by += 1) if (candidate % by === 0) isPrime = false;
    if (!isPrime) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(candidate));
    ROUND[found] = fraction(Math.cbrt(candidate));
    found += 1;
  }
}
