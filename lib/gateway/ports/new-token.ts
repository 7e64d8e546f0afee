const TOKEN_BYTES = 32;

/** An opaque token of 256 random bits in base64url, after a prefix that tells what it is. */
export function newToken(prefix: string, random: (bytes: number) => Uint8Array): string {
  return prefix + random(TOKEN_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
}
