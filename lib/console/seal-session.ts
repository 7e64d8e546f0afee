import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import * as z from "zod/mini";

/** Who is signed in, as the console keeps it between requests. */
const session = z.object({
  /** `session`: a session of the gateway. `token`: a pasted token, with a gateway that has no sessions. */
  kind: z.enum(["session", "token"]),
  token: z.string().check(z.minLength(1)),
  /** Unix seconds. */
  expiresAt: z.int(),
});
export type ConsoleSession = z.output<typeof session>;

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = Buffer.from(`gatehouse console session ${VERSION}`);

/** Encrypts a session for its cookie: AES-256-GCM under a key derived from the secret, a fresh nonce each time. */
export function sealSession(value: ConsoleSession, secret: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyFrom(secret), nonce).setAAD(PURPOSE);
  const sealed = Buffer.concat([
    nonce,
    cipher.update(JSON.stringify(value), "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return `${VERSION}.${sealed.toString("base64url")}`;
}

/** @returns null for anything that was not sealed under this secret, was changed since, or has expired. */
export function openSession(text: string, secret: Buffer, nowMs: number): ConsoleSession | null {
  const [version, encoded, ...rest] = text.split(".");
  if (version !== VERSION || !encoded || rest.length > 0) return null;
  const sealed = Buffer.from(encoded, "base64url");
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
  const parsed = session.safeParse(decrypt(sealed, secret));
  return parsed.success && parsed.data.expiresAt * 1000 > nowMs ? parsed.data : null;
}

function decrypt(sealed: Buffer, secret: Buffer): unknown {
  const decipher = createDecipheriv("aes-256-gcm", keyFrom(secret), sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(PURPOSE).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const open = [decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(open).toString("utf8"));
  } catch {
    return null;
  }
}

function keyFrom(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), PURPOSE, 32));
}
