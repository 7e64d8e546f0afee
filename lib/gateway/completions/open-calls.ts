import type { OpenCall } from "./open-call";

/** The calls whose holds are open, so that none stays open for ever. */
export class OpenCalls {
  readonly #calls = new Set<OpenCall>();

  add(call: OpenCall): void {
    this.#calls.add(call);
  }

  delete(call: OpenCall): void {
    this.#calls.delete(call);
  }

  /** Settles the calls that have outlived their holds. To be asked now and then. */
  settleOverdue(nowMs: number): void {
    for (const call of this.#calls) call.settleOverdue(nowMs);
  }
}
