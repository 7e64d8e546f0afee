/** SHA-256 of a secret, in hexadecimal. Keys and tokens are stored and looked up in this form only. */
export function hashSecret(secret: string): string {
  return new Bun.CryptoHasher("sha256").update(secret).digest("hex");
}
