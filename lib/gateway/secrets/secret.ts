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

/** The prefixes of our keys and of the callback secret. */
const KEY_PREFIXES = ["gk_live_", "gk_admin_", "whsec_"];

/** The prefixes of foreign keys that people paste by mistake: of model providers, code hosts and clouds. */
const FOREIGN_PREFIXES = [
  "sk-",
  "sk_live_",
  "rk_live_",
  "gsk_",
  "xai-",
  "hf_",
  "r8_",
  "pplx-",
  "AIza",
  "AKIA",
  "ghp_",
  "github_pat_",
  "glpat-",
  "xoxb-",
];

/** All prefixes of known secrets. */
export const secretPrefixes: readonly string[] = [...KEY_PREFIXES, ...TOKEN_PREFIXES, ...FOREIGN_PREFIXES];

const SECRETS = new RegExp(`\\b(${secretPrefixes.join("|")})[0-9A-Za-z_+/=.-]{16,}`, "g");

/**
 * Replaces everything that looks like a secret with its prefix and `***`: user input may contain a key, and errors
 * quote input.
 */
export function maskSecrets(text: string): string {
  return text.replace(SECRETS, "$1***");
}
