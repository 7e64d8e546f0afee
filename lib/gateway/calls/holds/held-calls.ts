import { type ListItem, UnorderedList } from "../../lists/unordered-list";

/** A call with an open hold. */
interface HeldOpen extends ListItem {
  /** Settles the call if its hold's deadline has passed. */
  settleOverdue(): void;
  sweep(): void;
  /** Ends the call if this key or session made it. */
  endAccess(id: string): void;
  /** Ends the call if its caller has lost what it needs. */
  endIfLost(): void;
}

/** The calls with open holds. Every hold is eventually settled or released. */
export class HeldCalls {
  readonly #calls = new UnorderedList<HeldOpen>();

  add(call: HeldOpen): void {
    this.#calls.add(call);
  }

  delete(call: HeldOpen): void {
    this.#calls.delete(call);
  }

  /** Settles the calls that have outlived their holds. Call it regularly. */
  settleOverdue(): void {
    this.#calls.each((call) => call.settleOverdue());
  }

  /** Stores what has changed in the receipt details of calls in progress. Call it regularly. */
  sweep(): void {
    this.#calls.each((call) => call.sweep());
  }

  /** Ends the calls whose callers have lost what they need. Call it when access has changed. */
  endLost(): void {
    this.#calls.each((call) => call.endIfLost());
  }

  /** Ends the calls of a revoked key or an ended session. */
  endAccess(id: string): void {
    this.#calls.each((call) => call.endAccess(id));
  }
}
