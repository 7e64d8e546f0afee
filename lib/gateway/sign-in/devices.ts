import type { Transaction } from "../changes/transaction";

/** Devices that members have signed in with. A device is known by the hash of the token that it keeps. */
export interface DeviceStore {
  /** The ids of the members who have signed in with it. */
  membersOf(hash: string): Promise<readonly string[]>;
  /** Notes that a member has signed in with it. */
  keep(transaction: Transaction, hash: string, userId: string, atMs: number): Promise<void>;
  /** Forgets a member's devices, but for one. */
  forget(transaction: Transaction, userId: string, keptHash: string | null): Promise<void>;
  /** Forgets those that nobody has signed in with since. */
  prune(transaction: Transaction, untilMs: number): Promise<void>;
}

/** A device is forgotten when nobody has signed in with it for half a year. */
export const DEVICES_KEPT_MS = 180 * 24 * 60 * 60_000;
