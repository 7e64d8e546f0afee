/** A call with an open hold. */
interface HeldOpen {
  /** Settles it where it has outlived its hold. */
  settleOverdue(nowMs: number): void;
  /** Ends it where its caller is, or acts by, the key or session of this id. */
  endAccess(id: string): void;
}

/** The calls with open holds, so that each hold ends at some time. */
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

  /** Ends the calls of a key or session that was revoked. */
  endAccess(id: string): void {
    for (const call of this.#calls) call.endAccess(id);
  }
}
