import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import * as z from "zod/mini";

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The content of a sealed cookie. `expiresAt` is in Unix seconds. */
interface Expiring {
  readonly expiresAt: number;
}

interface Seal<Value extends Expiring> {
  close(value: Value, secret: Buffer): string;
  /** @returns null for anything that was not sealed for this purpose with this secret, was modified, or has expired. */
  open(text: string, secret: Buffer, nowMs: number): Value | null;
}

/** Encrypts values for cookies: AES-256-GCM with a key derived from secret and purpose, and a new nonce each time. */
export function sealFor<Value extends Expiring>(name: string, schema: z.ZodMiniType<Value>): Seal<Value> {
  const purpose = Buffer.from(`${name} ${VERSION}`);
  return {
    close(value, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", deriveKey(secret, purpose), nonce).setAAD(purpose);
      const sealedBytes = Buffer.concat([
        nonce,
        cipher.update(JSON.stringify(value), "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${VERSION}.${sealedBytes.toString("base64url")}`;
    },
    open(text, secret, nowMs) {
      const [version, encodedText, ...rest] = text.split(".");
      if (version !== VERSION || !encodedText || rest.length > 0) return null;
      const sealedBytes = Buffer.from(encodedText, "base64url");
      if (sealedBytes.length <= NONCE_BYTES + TAG_BYTES) return null;
      const result = schema.safeParse(decrypt(sealedBytes, deriveKey(secret, purpose), purpose));
      return result.success && result.data.expiresAt * 1000 > nowMs ? result.data : null;
    },
  };
}

function decrypt(sealedBytes: Buffer, key: Buffer, purpose: Buffer): unknown {
  const decipher = createDecipheriv("aes-256-gcm", key, sealedBytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(purpose).setAuthTag(sealedBytes.subarray(-TAG_BYTES));
  try {
    const open = [decipher.update(sealedBytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(open).toString("utf8"));
  } catch {
    return null;
  }
}

function deriveKey(secret: Buffer, purpose: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), purpose, 32));
}

/** The signed-in person, as the console keeps it between requests. */
const session = z.object({
  /** `session`: a session of the gateway. `token`: a pasted token, for a gateway without sessions. */
  kind: z.enum(["session", "token"]),
  token: z.string().check(z.minLength(1)),
  /** Unix seconds. */
  expiresAt: z.int(),
});
export type ConsoleSession = z.output<typeof session>;

/** A new session, with a device token if the device was unknown. */
export type NewSession = ConsoleSession & { readonly deviceToken?: string };

/** Encrypts a session for its cookie, and decrypts it. */
export const { close: sealSession, open: openSession } = sealFor("gatehouse console session", session);
