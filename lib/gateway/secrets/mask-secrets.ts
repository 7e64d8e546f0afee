import { TOKEN_PREFIXES } from "./secret";

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
