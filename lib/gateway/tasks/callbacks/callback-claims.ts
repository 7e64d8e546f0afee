import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/contract/durations";

/**
 * How many messages of one project are sent at a time. A project can name any number of receivers, and slow ones must
 * leave slots for other projects.
 */
export const MAX_CONCURRENT_PER_PROJECT = 10;

/** A message to be delivered. */
export interface Callback {
  /** The same on every try. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** How many deliveries have failed. */
  readonly tries: number;
  /** The receiver's key for fairness; absent if all messages go to one receiver. */
  readonly receiver?: string;
  /** The project that it belongs to; absent if all messages belong to the organization. */
  readonly projectId?: string;
}

/** The receivers and projects whose messages must wait, since enough of them are being sent. */
export interface Busy {
  readonly receivers: readonly string[];
  readonly projects: readonly string[];
}

/** The outcome of one try to deliver a message. */
export interface CallbackTry {
  readonly status: "pending" | "delivered" | "exhausted";
  /** How many tries were made. */
  readonly tries: number;
  readonly triedAtMs: number;
  readonly tookMs: number;
  /** The status of the reply; null without a reply. */
  readonly httpStatus: number | null;
  /** When the next try is due; null for none. */
  readonly dueAtMs: number | null;
  /** Why the delivery failed; null for a delivered message. */
  readonly failure: string | null;
}

/**
 * Which sender delivers which message. Delivery is at least once: another sender may take over a claim that has
 * expired.
 */
export interface CallbackClaims<Message extends Callback = Callback> {
  /**
   * Claims due messages that no other sender has claimed, the longest due first: a few per receiver,
   * `MAX_CONCURRENT_PER_PROJECT` per project, and nothing for `busy` receivers and projects.
   */
  claimDue(nowMs: number, limit: number, busy: Busy): Promise<Message[]>;
  /**
   * Stores the outcome of a try and ends the claim.
   * @returns false if another sender has taken the claim: nothing was stored.
   */
  save(id: string, outcome: CallbackTry): Promise<boolean>;
  /** Ends the claims of all other senders. Call it only while no other sender runs. */
  releaseOthers(): Promise<void>;
}

/** The delays after the first failed try, the second, and so on: 75 hours in all. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Spreads retries, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

/** No message waits longer for its next try. An hour more than the last delay can be, since clocks are corrected. */
export const LONGEST_WAIT_MS = 30 * HOUR_MS;

/** How long to wait after the failed try number `tries`; null after the last one. */
export function retryDelayMs(tries: number, random: (bytes: number) => Uint8Array): number | null {
  const delay = DELAYS_MS[tries - 1];
  if (delay === undefined) return null;
  const [high = 0, low = 0] = random(2);
  return Math.round(delay * (1 + (JITTER * (high * 256 + low)) / 65_536));
}
