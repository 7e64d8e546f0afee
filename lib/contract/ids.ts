type IdPrefix =
  | "proj"
  | "rl"
  | "role"
  | "user"
  | "group"
  | "key"
  | "req"
  | "task"
  | "batch"
  | "file"
  | "txn"
  | "audit"
  | "hold"
  | "sess"
  | "org"
  | "svc_acct"
  | "invite"
  | "alert"
  | "firing"
  | "refusal"
  | "areq"
  | "rlc"
  | "rlplan"
  | "rldraft"
  | "rlink"
  | "price"
  | "prompt"
  | "conv"
  | "promptver"
  | "run"
  | "plan"
  | "applied"
  | "test";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_BYTES = 10;

/** The two digits of every ten bits, precomputed, since each call makes several ids. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`);

/**
 * An identifier: prefix, underscore, 48 bits of milliseconds and 80 random bits in Crockford's base 32 (26 characters).
 * Ids sort by time; ids of the same millisecond sort randomly.
 */
export function newId(prefix: IdPrefix, nowMs: number, random: (bytes: number) => Uint8Array): string {
  const bytes = random(RANDOM_BYTES);
  const at = (index: number) => bytes[index] ?? 0;
  let tail = "";
  for (let index = 0; index < RANDOM_BYTES; index += 5) {
    const [half, middle] = [(at(index) << 12) | (at(index + 1) << 4), at(index + 2)];
    tail += fourDigits(half | (middle >> 4));
    tail += fourDigits(((middle & 15) << 16) | (at(index + 3) << 8) | at(index + 4));
  }
  return firstIdAt(prefix, nowMs) + tail;
}

function fourDigits(twentyBits: number): string {
  return `${PAIRS[twentyBits >> 10]}${PAIRS[twentyBits & 1023]}`;
}

let lastTime = { ms: -1, digits: "" };

/** The prefix of every id of that millisecond. It sorts before them and after all older ids. */
export function firstIdAt(prefix: IdPrefix, nowMs: number): string {
  if (lastTime.ms !== nowMs) lastTime = { ms: nowMs, digits: timeDigits(nowMs) };
  return `${prefix}_${lastTime.digits}`;
}

/** The time at which an id was made, in Unix milliseconds; null for anything but one of our ids. */
export function readIdTime(id: string): number | null {
  // A prefix can contain `_` itself.
  const start = id.lastIndexOf("_") + 1;
  const digits = id.slice(start, start + TIME_DIGITS);
  const values = [...digits].map((digit) => ALPHABET.indexOf(digit));
  if (values.length < TIME_DIGITS || values.includes(-1)) return null;
  return values.reduce((time, value) => time * 32 + value, 0);
}

function timeDigits(nowMs: number): string {
  let time = "";
  for (let digit = 0, remainder = nowMs; digit < TIME_DIGITS; digit++) {
    time = ALPHABET[remainder % 32] + time;
    remainder = Math.floor(remainder / 32);
  }
  return time;
}

/** The id of a model's rate limit in any project. */
export function rateLimitId(model: string): string {
  return `rl_${model}`;
}

/** The model of a rate limit's id: `rl_<model>`, or the model's own id. */
export function readRateLimitModel(id: string): string {
  return id.startsWith("rl_") ? id.slice(3) : id;
}

/** A request has one hold and one charge, whose ids are the request's with another prefix. `id` is any of the three. */
export function deriveId(prefix: "hold" | "txn", id: string): string {
  return prefix + id.slice(id.indexOf("_"));
}
