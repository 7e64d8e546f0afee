import type { MediaFamily } from "@/lib/contract/model-families";
import type {
  EndedTask,
  Funds,
  HoldDraft,
  HoldOutcome,
  RefusedRequest,
  Release,
  Settlement,
} from "../balance/funds";
import type { TaskDraft } from "../balance/held-task";
import type { CallObserver, LedgerWrite, ObservedCall } from "./call-observer";

/** Funds that report holds, ends and refusals to observers. Used instead of the funds only where there is an observer. */
export class ObservedFunds implements Funds {
  /** Placed holds that have not ended. */
  readonly #open = new Map<string, { readonly hold: HoldDraft; readonly family: MediaFamily | undefined }>();

  constructor(
    private readonly funds: Funds,
    private readonly observers: readonly CallObserver[],
    private readonly nowMs: () => number,
  ) {}

  get available() {
    return this.funds.available;
  }

  get openHolds(): number {
    return this.#open.size;
  }

  async placeHold(hold: HoldDraft, task?: TaskDraft): Promise<HoldOutcome> {
    const placed = await this.#timed("hold", this.funds.placeHold(hold, task));
    if (placed === true) this.#open.set(hold.id, { hold, family: task?.family });
    return placed;
  }

  async settle(settlement: Settlement, task?: EndedTask): Promise<boolean> {
    const wasOpen = await this.#timed("settle", this.funds.settle(settlement));
    const { holdId, end, usage, charge } = settlement;
    const endOf = ({ amount }: Pick<HoldDraft, "amount">) => ({
      end,
      usage,
      charge: charge < amount ? charge : amount,
    });
    this.#end(holdId, wasOpen, endOf, task);
    return wasOpen;
  }

  async release(release: Release, task?: EndedTask): Promise<boolean> {
    const wasOpen = await this.#timed("release", this.funds.release(release));
    this.#end(release.holdId, wasOpen, () => ({ end: release.end, usage: null, charge: null }), task);
    return wasOpen;
  }

  logRefusal(refused: RefusedRequest): void {
    this.funds.logRefusal(refused);
    for (const observer of this.observers) observer.refused?.(refused);
  }

  takeOver(...asked: Parameters<Funds["takeOver"]>) {
    return this.funds.takeOver(...asked);
  }

  recordPayment(...asked: Parameters<Funds["recordPayment"]>) {
    return this.funds.recordPayment(...asked);
  }

  importPayments(...asked: Parameters<Funds["importPayments"]>) {
    return this.funds.importPayments(...asked);
  }

  recordCorrection(...asked: Parameters<Funds["recordCorrection"]>) {
    return this.funds.recordCorrection(...asked);
  }

  approvePayment(...asked: Parameters<Funds["approvePayment"]>) {
    return this.funds.approvePayment(...asked);
  }

  checkpoint(...asked: Parameters<Funds["checkpoint"]>): void {
    this.funds.checkpoint(...asked);
  }

  isHealthy(): boolean {
    return this.funds.isHealthy();
  }

  close(): Promise<void> {
    return this.funds.close();
  }

  /** Reports a call that this process ended. The process that took a call or a task over reports it instead. */
  #end(
    holdId: string,
    wasOpen: boolean,
    endOf: (hold: Pick<HoldDraft, "amount">) => Pick<ObservedCall, "end" | "usage" | "charge">,
    task?: EndedTask,
  ): void {
    const placed = this.#open.get(holdId) ?? task;
    this.#open.delete(holdId);
    if (!placed || !wasOpen) return;
    const call = { ...placed, ...endOf(placed.hold) };
    for (const observer of this.observers) observer.ended?.(call);
  }

  async #timed<Result>(write: LedgerWrite, writing: Promise<Result>): Promise<Result> {
    const startedAtMs = this.nowMs();
    try {
      return await writing;
    } finally {
      const seconds = (this.nowMs() - startedAtMs) / 1000;
      for (const observer of this.observers) observer.wrote?.(write, seconds);
    }
  }
}
