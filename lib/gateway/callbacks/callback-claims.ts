/** A message to be delivered. */
export interface Callback {
  /** The same on every try. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** How many deliveries have failed. */
  readonly tries: number;
  /** Who gets it; absent where all go to one. */
  readonly receiver?: string;
}

/** The outcome of one delivery attempt. */
export interface CallbackTry {
  readonly status: "pending" | "delivered" | "exhausted";
  /** How many attempts were made. */
  readonly tries: number;
  readonly triedAtMs: number;
  readonly tookMs: number;
  /** The status of the reply; null where there was none. */
  readonly httpStatus: number | null;
  /** When the next attempt is due; null where there is none. */
  readonly dueAtMs: number | null;
  /** Why it was not delivered, in words; null where it was. */
  readonly failure: string | null;
}

/** Which sender is delivering which message. Delivery is at least once: another sender may take a claim that has expired. */
export interface CallbackClaims<Message extends Callback = Callback> {
  /**
   * Claims messages that are due and that no other sender has claimed, the longest due first: a few for each receiver, and none
   * for those that are `busy`.
   */
  claimDue(nowMs: number, limit: number, busy: readonly string[]): Promise<Message[]>;
  /**
   * Stores the outcome of an attempt and ends the claim.
   * @returns false where another sender has taken the claim: nothing was stored.
   */
  save(id: string, outcome: CallbackTry): Promise<boolean>;
  /** Ends all other senders' claims. To be called only while no other sender runs. */
  releaseOthers(): Promise<void>;
}
