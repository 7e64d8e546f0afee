/** A call with an open hold. */
interface HeldOpen {
  /** Settles the call if its hold's deadline has passed. */
  settleOverdue(nowMs: number): void;
  sweep(): void;
  /** Ends the call if it was made with the key or session of this id. */
  endAccess(id: string): void;
}

/** The calls with open holds: each hold is settled or released in the end. */
export class OpenHolds {
  readonly #calls = new Set<HeldOpen>();

  add(call: HeldOpen): void {
    this.#calls.add(call);
  }

  delete(call: HeldOpen): void {
    this.#calls.delete(call);
  }

  /** Settles the calls that have outlived their holds. To be called regularly. */
  settleOverdue(nowMs: number): void {
    for (const call of this.#calls) call.settleOverdue(nowMs);
  }

  /** Stores what has become known of calls under way. To be called regularly. */
  sweep(): void {
    for (const call of this.#calls) call.sweep();
  }

  /** Ends the calls of a key or session that was revoked. */
  endAccess(id: string): void {
    for (const call of this.#calls) call.endAccess(id);
  }
}
