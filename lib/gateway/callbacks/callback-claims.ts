/** A message that is to be told. */
export interface Callback {
  /** The same on every try. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** How often it was sent in vain. */
  readonly tries: number;
}

/** What came of a try. */
export interface CallbackTry {
  readonly status: "pending" | "delivered" | "exhausted";
  /** How often it was sent. */
  readonly tries: number;
  readonly triedAtMs: number;
  /** When it is sent again; null where it is not. */
  readonly dueAtMs: number | null;
  /** Why it did not arrive, in words; null where it did. */
  readonly failure: string | null;
}

/** Which of several senders is at which message. Delivery is at least once: a claim that is over may be taken by another. */
export interface CallbackClaims {
  /** Claims those that are to be sent by now and that no other sender is at, the longest due first. */
  claimDue(nowMs: number, limit: number): Promise<Callback[]>;
  /** Stores what came of a try, and ends the claim. @returns false where another has taken it: nothing was stored. */
  save(id: string, outcome: CallbackTry): Promise<boolean>;
  /** Ends the claims of all others, for one that knows that no other sender runs. */
  releaseOthers(): Promise<void>;
}
