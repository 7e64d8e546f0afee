import { DAY_MS } from "@/lib/contract/durations";
import type { Transaction } from "../changes/transaction";
import type { ClockAndRandom } from "../clock";
import { hashSecret } from "../secrets/hash-secret";
import { newToken } from "../secrets/new-token";
import type { DeviceStore } from "./sign-in-state.sql";

/** The client that a sign-in comes from. */
export interface SignInClient {
  /** Null if it is unknown. */
  readonly address: string | null;
  /** The user agent that the client sent. */
  readonly userAgent: string | null;
  /** The token of a known device. */
  readonly deviceToken: string | null;
}

/** A device is forgotten after half a year without a sign-in. */
export const DEVICES_KEPT_MS = 180 * DAY_MS;

/** Remembers the device of a member who has just signed in. @returns its new token; null if it had one. */
export async function rememberDevice(
  { devices, runtime }: { devices: DeviceStore; runtime: ClockAndRandom },
  transaction: Transaction,
  client: SignInClient,
  userId: string,
): Promise<string | null> {
  const atMs = runtime.clock.nowMs();
  const deviceHash = hashDevice(client);
  if (deviceHash !== null && (await devices.listMembers(deviceHash)).length > 0) {
    await devices.keep(transaction, deviceHash, userId, atMs);
    return null;
  }
  const token = newToken("gd_", runtime.random);
  await devices.keep(transaction, hashSecret(token), userId, atMs);
  return token;
}

export function hashDevice({ deviceToken }: SignInClient): string | null {
  return deviceToken === null ? null : hashSecret(deviceToken);
}
