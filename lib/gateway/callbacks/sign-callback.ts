import { createHmac, hkdfSync } from "node:crypto";
import { DAY_MS } from "@/lib/contract/durations";
import { Secret } from "../secrets/secret";

const PREFIX = "whsec_";

/** The secret that callbacks are signed with, `whsec_…`: HKDF-SHA-256 of the gateway's own, so nothing else has to be kept. */
export function callbackSecret(key: Uint8Array, purpose = "gatehouse callback"): Secret {
  const bytes = new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), purpose, 32));
  return new Secret(PREFIX + bytes.toBase64());
}

/** How long a secret that was replaced still signs, beside the new one. */
const OVERLAP_MS = DAY_MS;

/** Which of its secrets a project signs with: 1, until it is replaced. */
export interface SecretVersion {
  readonly version: number;
  /** When it took the place of the one before; null for the first. */
  readonly rotatedAtMs: number | null;
}

/** Until when the secret before this one signs too; null where it doesn't. */
export function overlapEndMs({ rotatedAtMs }: SecretVersion, nowMs: number): number | null {
  if (rotatedAtMs === null || nowMs >= rotatedAtMs + OVERLAP_MS) return null;
  return rotatedAtMs + OVERLAP_MS;
}

/** A project's secrets that sign now, the present one first: each is made of the gateway's own, so none is stored. */
export function projectSecrets(
  key: Uint8Array,
  projectId: string,
  current: SecretVersion,
  nowMs: number,
): readonly [Secret, ...Secret[]] {
  const secretOf = (version: number) => callbackSecret(key, `gatehouse callback ${projectId} ${version}`);
  const present = secretOf(current.version);
  return overlapEndMs(current, nowMs) === null ? [present] : [present, secretOf(current.version - 1)];
}

/** The headers of one try, as Standard Webhooks 1.0 has them: each secret's signature covers id, time and body. */
export function signCallback(
  secrets: Secret | readonly Secret[],
  { id, body, atMs }: { id: string; body: string; atMs: number },
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signatures = [secrets].flat().map((secret) => {
    const key = Buffer.from(secret.reveal().slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
