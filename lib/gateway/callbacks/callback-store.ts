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

export interface CallbackStore {
  /** Those to be sent by now, the longest due first. */
  listDue(nowMs: number, limit: number): Promise<Callback[]>;
  save(id: string, outcome: CallbackTry): Promise<void>;
}
