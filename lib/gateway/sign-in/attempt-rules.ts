import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";

/** How many attempts are free, and how long until one of them is forgotten. */
export interface AttemptRule {
  readonly free: number;
  readonly recoverMs: number;
}

/**
 * Strangers get 62 guesses at one account on the first day, where NIST SP 800-63B (3.2.2) allows a hundred in all
 * before the account is locked. Ours is never locked for a device that its owner has signed in with.
 */
export const attemptRules = {
  /** Passwords and codes for one account, from devices it has not signed in with. */
  account: { free: 5, recoverMs: 360 * MINUTE_MS },
  /** The same from a known device of the member, and in a session: the member's own typing errors. */
  ownDevice: { free: 10, recoverMs: 10 * MINUTE_MS },
  /** The same from one network, for all accounts together: an office has many people. */
  network: { free: 20, recoverMs: 2 * MINUTE_MS },
  /** Mails to one address. */
  mail: { free: 3, recoverMs: 20 * MINUTE_MS },
  /** Mails requested from one network. */
  networkMails: { free: 10, recoverMs: 6 * MINUTE_MS },
  /** Failed single sign-ons from one network. */
  networkSignOns: { free: 60, recoverMs: 10_000 },
} as const satisfies Readonly<Record<string, AttemptRule>>;

/** A counter is forgotten after this long without an attempt. */
export const ATTEMPTS_KEPT_MS = DAY_MS;
