import { storeUnavailable } from "../refusal";
import type { BalanceCache } from "./balance-cache";
import type { HoldOutcome } from "./funds";
import {
  type HoldResult,
  type LedgerOperation,
  type LedgerResult,
  toHoldOutcome,
} from "./writer/ledger-operation";

/** An operation that the store has not answered yet. The amount of a hold counts as asked for until then. */
export class WaitingOperation {
  #late: ((result: LedgerResult) => void) | null = null;

  constructor(
    readonly operation: LedgerOperation,
    private readonly balance: BalanceCache,
    private readonly resolve: (result: LedgerResult | HoldOutcome) => void,
    private readonly reject: (reason: unknown) => void,
  ) {
    if (operation.kind === "hold") balance.reserve(operation.hold.amount);
  }

  /** Call it once the store's figures were read. */
  answer(result: LedgerResult): void {
    if (this.#late) return this.#late(result);
    this.#unreserve();
    this.resolve(this.operation.kind === "hold" ? toHoldOutcome(result as HoldResult) : result);
  }

  refuse(): void {
    if (this.#late) return;
    this.#unreserve();
    this.reject(storeUnavailable());
  }

  /** Refuses it although it was sent. @param late receives what the store still answers. */
  giveUp(late: (result: LedgerResult) => void): void {
    this.refuse();
    this.#late = late;
  }

  #unreserve(): void {
    const { operation } = this;
    if (operation.kind === "hold") this.balance.unreserve(operation.hold.amount);
  }
}
