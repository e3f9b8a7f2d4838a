/**
 * A synchronous SHA-256 for proof of work, which hashes very many texts with the same prefix. `crypto.subtle` is far
 * too slow for that, because it needs a promise for each hash. The blocks of the prefix are hashed only once.
 */
const ROUND_CONSTANTS = new Int32Array(64);
const INITIAL_STATE = new Int32Array(8);
fillConstants();

/** Returns a function that hashes `prefix` followed by a decimal number, and returns the first 32 bits of the digest. */
export function createPrefixHasher(prefix: string): (number: number) => number {
  const bytes = new TextEncoder().encode(prefix);
  const prefixBlocksEnd = bytes.length - (bytes.length % 64);
  const state = INITIAL_STATE.slice();
  const words = new Int32Array(64);
  for (let at = 0; at < prefixBlocksEnd; at += 64) compress(state, words, bytes, at);
  const restLength = bytes.length - prefixBlocksEnd;
  // The rest of the prefix, up to sixteen digits, and the padding with the length.
  const tail = new Uint8Array(192);
  tail.set(bytes.subarray(prefixBlocksEnd));
  const current = new Int32Array(8);
  return (number) => {
    const digits = String(number);
    let end = restLength;
    for (let at = 0; at < digits.length; at += 1) tail[end++] = digits.charCodeAt(at);
    const length = Math.ceil((end + 9) / 64) * 64;
    tail.fill(0, end, length);
    tail[end] = 0x80;
    const bitLength = (prefixBlocksEnd + end) * 8;
    for (let at = 1; at <= 4; at += 1) tail[length - at] = (bitLength >>> (8 * (at - 1))) & 255;
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
    const [w15, w2] = [words[at - 15]!, words[at - 2]!];
    const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
    const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
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
    const temp1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[at]! + words[at]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const temp2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + temp1) | 0;
    d = c;
    c = b;
    b = a;
    a = (temp1 + temp2) | 0;
  }
  const hashed = [a, b, c, d, e, f, g, h];
  for (let at = 0; at < 8; at += 1) state[at] = (state[at]! + hashed[at]!) | 0;
}

/** The fractional parts of the square and cube roots of the first primes, as FIPS 180-4 defines them. */
function fillConstants(): void {
  const fraction = (value: number) => ((value - Math.floor(value)) * 0x100000000) | 0;
  for (let count = 0, candidate = 2; count < 64; candidate += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) if (candidate % divisor === 0) isPrime = false;
    if (!isPrime) continue;
    if (count < 8) INITIAL_STATE[count] = fraction(Math.sqrt(candidate));
    ROUND_CONSTANTS[count] = fraction(Math.cbrt(candidate));
    count += 1;
  }
}
