import { BrokenInvariant, ensure } from "../broken-invariant";
import type { Entry } from "./entry";

/** Tracks payments, charges and their corrections, independently of the code that writes them. */
export class CorrectionOracle {
  /** The uncorrected amount of each payment and charge, by its id. */
  readonly remaining = new Map<string, bigint>();
  readonly #entries = new Map<string, Entry>();
  readonly recorded = new Set<string>();

  /** Adds a payment or a charge, which can be corrected from now on. */
  add(entry: Entry): void {
    this.#entries.set(entry.id, entry);
    this.remaining.set(entry.id, entry.amount);
  }

  correct(correction: Entry): void {
    const { id, corrects, amount, from_account, to_account, request_id, project_id } = correction;
    const entry = this.#entries.get(corrects ?? "");
    if (!entry) throw new BrokenInvariant("I22", `${id} corrects ${corrects}, which is no payment or charge`);
    const isReversed = from_account === entry.to_account && to_account === entry.from_account;
    ensure(isReversed, "I22", () => `${id} moves ${from_account} to ${to_account}`);
    const isAlike = request_id === entry.request_id && project_id === entry.project_id;
    ensure(isAlike, "I22", () => `${id} names another call or project than ${corrects}`);
    const remainder = (this.remaining.get(entry.id) ?? 0n) - amount;
    ensure(amount > 0n && remainder >= 0n, "I22", () => `${id} leaves ${remainder} of ${corrects}`);
    this.remaining.set(entry.id, remainder);
    this.recorded.add(id);
  }
}
