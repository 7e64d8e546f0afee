import { MINUTE_MS } from "@/lib/contract/durations";

/** How many attempts are free, and how long until one of them is forgotten. */
export interface AttemptRule {
  readonly free: number;
  readonly recoverMs: number;
}

/**
 * Strangers at one account get 62 guesses on the first day, where NIST SP 800-63B (3.2.2) allows a hundred in all before it is closed;
 * ours is never closed to a device that its owner has signed in with.
 */
export const attemptRules = {
  /** Passwords and codes for one account, from devices it has not signed in with. */
  account: { free: 5, recoverMs: 360 * MINUTE_MS },
  /** The same from a device that the member has signed in with, and in a session: their own typing errors. */
  ownDevice: { free: 10, recoverMs: 10 * MINUTE_MS },
  /** The same from one network, for all accounts together: an office has many people. */
  network: { free: 20, recoverMs: 2 * MINUTE_MS },
  /** Mails to one address. */
  mail: { free: 3, recoverMs: 20 * MINUTE_MS },
  /** Mails that one network asks for. */
  mailsOfNetwork: { free: 10, recoverMs: 6 * MINUTE_MS },
  /** Single sign-ons from one network that fail. */
  signOnsOfNetwork: { free: 60, recoverMs: 10_000 },
} as const satisfies Readonly<Record<string, AttemptRule>>;

/** After this long without an attempt a name is forgotten. */
export const ATTEMPTS_KEPT_MS = 24 * 60 * MINUTE_MS;
