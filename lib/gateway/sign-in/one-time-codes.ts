import { createHash, hkdfSync } from "node:crypto";
import type { ClockAndRandom } from "../clock";
import { seal, unseal } from "../database/seal";
import { createRandomText } from "../secrets/new-token";
import { Secret } from "../secrets/secret";

const BACKUP_CODES = 10;
/** Lower-case letters and digits without those that look alike: 32 signs, so a byte chooses each without bias. */
const BACKUP_SIGNS = "abcdefghijkmnpqrstuvwxyz23456789";
/** A code is accepted one period of 30 s before and after its own, since clocks differ (RFC 6238, 5.2). */
const WINDOW = 1;

/** What seals a member's second factor in the database. */
interface SealContext {
  /** 32 bytes. */
  readonly secret: Uint8Array;
  readonly runtime: ClockAndRandom;
}

/** The secret that a member's app and the gateway share. */
export function createAppSecret({ random }: ClockAndRandom): Secret {
  return new Secret(createRandomText(random));
}

/** The Key URI for an app to be set up with. */
export async function buildKeyUri(secret: Secret, email: string): Promise<string> {
  return (await openTotp(secret, email)).toString();
}

/** Whether an app with this secret shows the code now. */
export async function isAppCode(secret: Secret, code: string, nowMs: number): Promise<boolean> {
  const totp = await openTotp(secret, "");
  return totp.validate({ token: code, timestamp: nowMs, window: WINDOW }) !== null;
}

/** Loads the library with the first second factor: SHA-1, six digits, 30 s, which all apps know. */
async function openTotp(secret: Secret, label: string) {
  const otpauth = await import("otpauth");
  return new otpauth.TOTP({
    issuer: "Gatehouse",
    label,
    secret: otpauth.Secret.fromUTF8(secret.reveal()),
    algorithm: "SHA1",
    digits: 6,
    period: 30,
  });
}

/** Ten codes of 50 random bits, such as `k3vqm-7xw2p`. */
export function createBackupCodes({ random }: ClockAndRandom): string[] {
  return Array.from({ length: BACKUP_CODES }, () => {
    const signs = [...random(10)].map((byte) => BACKUP_SIGNS[byte % BACKUP_SIGNS.length]).join("");
    return `${signs.slice(0, 5)}-${signs.slice(5)}`;
  });
}

/** Encrypts a second factor's secret, or its backup codes as JSON, for one member's row. */
export function sealFactor(text: Secret, userId: string, { secret, runtime }: SealContext): string {
  return seal(text, rowOf(userId), { key: secret, random: runtime.random });
}

/** Opens the result of `sealFactor`, or a text of a version before it. @throws SealBrokenError */
export async function openFactor(sealed: string, userId: string, { secret }: SealContext): Promise<Secret> {
  return /^[0-9a-f]+$/.test(sealed)
    ? openEarlierFactor(sealed, secret)
    : unseal(sealed, rowOf(userId), secret);
}

function rowOf(userId: string): string {
  return `second factor of ${userId}`;
}

/** Second factors were encrypted with XChaCha20-Poly1305 at first: in hexadecimal, a nonce of 24 bytes goes ahead. */
async function openEarlierFactor(sealed: string, secret: Uint8Array): Promise<Secret> {
  const { xchacha20poly1305 } = await import("@noble/ciphers/chacha.js");
  const text = Buffer.from(hkdfSync("sha256", secret, "", "gatehouse sign-in", 32)).toString("base64");
  const key = new Uint8Array(createHash("sha256").update(text).digest());
  const bytes = Uint8Array.fromHex(sealed);
  const plain = xchacha20poly1305(key, bytes.subarray(0, 24)).decrypt(bytes.subarray(24));
  return new Secret(new TextDecoder().decode(plain));
}
