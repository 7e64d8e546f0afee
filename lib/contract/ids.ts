export type IdPrefix =
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
  | "firing";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_BYTES = 10;

/**
 * An identifier: prefix, underscore, 48 bits of milliseconds and 80 random bits in Crockford's base 32 (26 characters).
 * Ids made later sort later; ids of the same millisecond sort at random.
 */
export function newId(prefix: IdPrefix, nowMs: number, random: (bytes: number) => Uint8Array): string {
  let tail = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of random(RANDOM_BYTES)) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      tail += ALPHABET[(buffer >> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return firstIdOf(prefix, nowMs) + tail;
}

/** What every id of that millisecond begins with: it sorts before them, and after all that are older. */
export function firstIdOf(prefix: IdPrefix, nowMs: number): string {
  let time = "";
  for (let digit = 0, rest = nowMs; digit < TIME_DIGITS; digit++) {
    time = ALPHABET[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}_${time}`;
}

/** The id of a model's rate limit in any project. */
export function rateLimitId(model: string): string {
  return `rl_${model}`;
}

/** The model a rate limit id stands for: `rl_<model>`, or the model's own identifier. */
export function modelOfRateLimitId(id: string): string {
  return id.startsWith("rl_") ? id.slice(3) : id;
}
