const MASK = "***";

/** A secret in memory that can't be printed by accident: converted to text, it is `***`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The plain secret, for sending or encrypting it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return MASK;
  }
}

/** SHA-256 of a secret, in hexadecimal. Keys and tokens are stored and looked up in this form only. */
export function hashSecret(secret: string): string {
  return new Bun.CryptoHasher("sha256").update(secret).digest("hex");
}

const TOKEN_BYTES = 32;

/**
 * The prefixes of our tokens: sessions, sign-in links, invitations, password links, devices, sign-in challenges and
 * links to receipts.
 */
export const TOKEN_PREFIXES = ["gs_", "gl_", "gi_", "gp_", "gd_", "gc_", "gr_"] as const;
type TokenPrefix = (typeof TOKEN_PREFIXES)[number];

/** An opaque token of 256 random bits in base64url, after a prefix that names its kind. */
export function newToken(prefix: TokenPrefix, random: (bytes: number) => Uint8Array): string {
  return prefix + createRandomText(random);
}

/** 256 random bits in base64url. */
export function createRandomText(random: (bytes: number) => Uint8Array): string {
  return random(TOKEN_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
}
