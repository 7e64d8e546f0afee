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
