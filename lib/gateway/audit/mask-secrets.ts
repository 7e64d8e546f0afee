/** Secrets by their shape: our keys and tokens, callback secrets, and the keys of well-known providers. */
const SECRETS = /\b(gk_live_|gk_admin_|gs_|gl_|gi_|whsec_|sk-)[0-9A-Za-z_+/=-]{16,}/g;

/** Text people typed may hold a key by mistake: what looks like one is kept by its prefix alone. */
export function maskSecrets(text: string): string {
  return text.replace(SECRETS, "$1***");
}
