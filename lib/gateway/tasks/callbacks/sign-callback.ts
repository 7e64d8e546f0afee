import { createHmac, hkdfSync } from "node:crypto";
import { DAY_MS } from "@/lib/contract/durations";
import { Secret } from "../../secrets/secret";

const PREFIX = "whsec_";

/** The secret that signs callbacks, `whsec_…`: HKDF-SHA-256 of the gateway's secret, so it needs no storage. */
export function deriveCallbackSecret(key: Uint8Array, purpose = "gatehouse callback"): Secret {
  const bytes = new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), purpose, 32));
  return new Secret(PREFIX + bytes.toBase64());
}

/** For this long, a replaced secret signs together with its successors. */
const OVERLAP_MS = DAY_MS;

/** The number of a project's signing secret: 1 until its first replacement. */
export interface SecretVersion {
  readonly version: number;
  /**
   * The times of the project's rotations, newest first. Rotations whose replaced secrets no longer sign may be missing.
   */
  readonly rotationsMs: readonly number[];
}

/** The rotations whose replaced secrets still sign. */
export function listRecentRotations({ rotationsMs }: SecretVersion, nowMs: number): number[] {
  return rotationsMs.filter((rotatedAtMs) => nowMs < rotatedAtMs + OVERLAP_MS);
}

/** Returns the time until which the previous secret also signs; null if it no longer does. */
export function computeOverlapEndMs(current: SecretVersion, nowMs: number): number | null {
  const [last] = listRecentRotations(current, nowMs);
  return last === undefined ? null : last + OVERLAP_MS;
}

/**
 * The project's secrets that sign now, the present one first. They are derived from the gateway's secret, so none is
 * stored.
 */
export function projectSecrets(
  key: Uint8Array,
  projectId: string,
  current: SecretVersion,
  nowMs: number,
): readonly [Secret, ...Secret[]] {
  const deriveSecret = (version: number) =>
    deriveCallbackSecret(key, `gatehouse callback ${projectId} ${version}`);
  const replacedSecrets = listRecentRotations(current, nowMs).map((_, index) =>
    deriveSecret(current.version - 1 - index),
  );
  return [deriveSecret(current.version), ...replacedSecrets];
}

/** The headers of one try, by Standard Webhooks 1.0. Each secret's signature covers id, time and body. */
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
