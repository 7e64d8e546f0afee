import { TOKEN_PREFIXES } from "./new-token";

/** Our keys, and the secret of callbacks. */
const KEY_PREFIXES = ["gk_live_", "gk_admin_", "whsec_"];

/** Of keys that people paste here: model providers', and of where they keep their code and clouds. */
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

/** Every prefix by which a secret is known. */
export const secretPrefixes: readonly string[] = [...KEY_PREFIXES, ...TOKEN_PREFIXES, ...FOREIGN_PREFIXES];

const SECRETS = new RegExp(`\\b(${secretPrefixes.join("|")})[0-9A-Za-z_+/=.-]{16,}`, "g");

/** Text people typed may hold a key by mistake, and errors quote what they were given: what looks like a secret is kept by its prefix alone. */
export function maskSecrets(text: string): string {
  return text.replace(SECRETS, "$1***");
}
