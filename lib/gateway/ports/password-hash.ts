/** Argon2id with 19 MiB and two passes (OWASP Password Storage Cheat Sheet), in PHC string format. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password.normalize("NFKC"), ARGON2ID);
}

export function verifyPassword(password: string, hash: string): Promise<boolean> {
  return Bun.password.verify(password.normalize("NFKC"), hash);
}
