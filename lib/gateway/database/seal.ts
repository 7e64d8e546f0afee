import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { Secret } from "../secrets/secret";

const VERSION = "v1";
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;

/** A sealed text can't be opened: it was sealed with another secret or for another row, or was modified. */
export class SealBrokenError extends Error {
  override readonly name = "SealBrokenError";
}

/**
 * Encrypts a secret with AES-256-GCM for one row. The result is `v1.` and base64url of salt, nonce, tag and
 * ciphertext. The key is HKDF-SHA-256 of the gateway's secret with a random salt. `associatedData` names the row and
 * is authenticated, so that a sealed text can't be moved to another row.
 */
export function seal(secret: Secret, associatedData: string, { key, random }: Sealing): string {
  const salt = random(SALT_BYTES);
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", rowKey(key, salt), nonce).setAAD(Buffer.from(associatedData));
  const ciphertext = Buffer.concat([cipher.update(secret.reveal(), "utf8"), cipher.final()]);
  const bytes = Buffer.concat([salt, nonce, cipher.getAuthTag(), ciphertext]);
  return `${VERSION}.${Uint8Array.from(bytes).toBase64(BASE64URL)}`;
}

/** Opens the result of `seal`. @throws SealBrokenError */
export function unseal(text: string, associatedData: string, key: Uint8Array): Secret {
  try {
    const [version, encoded = ""] = text.split(".");
    if (version !== VERSION) throw new SealBrokenError(`Unknown version "${version}"`);
    const bytes = Buffer.from(encoded, "base64url");
    const salt = bytes.subarray(0, SALT_BYTES);
    const nonce = bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES);
    const tag = bytes.subarray(SALT_BYTES + NONCE_BYTES, SALT_BYTES + NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", rowKey(key, salt), nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(associatedData))
      .setAuthTag(tag);
    const ciphertext = bytes.subarray(SALT_BYTES + NONCE_BYTES + TAG_BYTES);
    return new Secret(Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8"));
  } catch (cause) {
    throw new SealBrokenError(`"${associatedData}" was encrypted with another secret`, { cause });
  }
}

/** Like `unseal`, but null if the text was encrypted with another secret or is not encrypted. */
export function unsealOrNull(text: string, associatedData: string, key: Uint8Array): string | null {
  try {
    return unseal(text, associatedData, key).reveal();
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

/** What sealing needs: the gateway's key, and randomness. */
export interface Sealing {
  readonly key: Uint8Array;
  random(bytes: number): Uint8Array;
}

function rowKey(key: Uint8Array, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, salt, "gatehouse provider key", 32));
}
