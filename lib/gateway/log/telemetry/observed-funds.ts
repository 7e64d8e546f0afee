import type { MediaFamily } from "@/lib/contract/calls/model-families";
import type {
  EndedTask,
  Funds,
  HoldDraft,
  HoldOutcome,
  RefusedRequest,
  Release,
  Settlement,
  TaskDraft,
} from "../../ledger/funds";
import type { CallObserver, LedgerWrite, ObservedCall } from "./call-metrics";

/** Funds that report holds, ends and refusals to observers. Used instead of the funds only if there is an observer. */
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

  async placeHold(hold: HoldDraft, task?: TaskDraft): Promise<HoldOutcome> {
    const outcome = await this.#timeWrite("hold", this.funds.placeHold(hold, task));
    if (outcome === "placed") this.#open.set(hold.id, { hold, family: task?.family });
    return outcome;
  }

  async settle(settlement: Settlement, task?: EndedTask): Promise<boolean> {
    const wasOpen = await this.#timeWrite("settle", this.funds.settle(settlement));
    const { holdId, end, usage, charge } = settlement;
    const toCallEnd = ({ amount }: Pick<HoldDraft, "amount">) => ({
      end,
      usage,
      charge: charge < amount ? charge : amount,
    });
    this.#end(holdId, wasOpen, toCallEnd, task);
    return wasOpen;
  }

  async release(release: Release, task?: EndedTask): Promise<boolean> {
    const wasOpen = await this.#timeWrite("release", this.funds.release(release));
    this.#end(release.holdId, wasOpen, () => ({ end: release.end, usage: null, charge: null }), task);
    return wasOpen;
  }

  logRefusal(request: RefusedRequest): void {
    this.funds.logRefusal(request);
    for (const observer of this.observers) observer.onRefusal?.(request);
  }

  takeOver(...parameters: Parameters<Funds["takeOver"]>) {
    return this.funds.takeOver(...parameters);
  }

  recordPayment(...parameters: Parameters<Funds["recordPayment"]>) {
    return this.funds.recordPayment(...parameters);
  }

  importPayments(...parameters: Parameters<Funds["importPayments"]>) {
    return this.funds.importPayments(...parameters);
  }

  recordCorrection(...parameters: Parameters<Funds["recordCorrection"]>) {
    return this.funds.recordCorrection(...parameters);
  }

  approvePayment(...parameters: Parameters<Funds["approvePayment"]>) {
    return this.funds.approvePayment(...parameters);
  }

  checkpoint(...parameters: Parameters<Funds["checkpoint"]>): void {
    this.funds.checkpoint(...parameters);
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
    describeEnd: (hold: Pick<HoldDraft, "amount">) => Pick<ObservedCall, "end" | "usage" | "charge">,
    task?: EndedTask,
  ): void {
    const observedHold = this.#open.get(holdId) ?? task;
    this.#open.delete(holdId);
    if (!observedHold || !wasOpen) return;
    const call = { ...observedHold, ...describeEnd(observedHold.hold) };
    for (const observer of this.observers) observer.onEnd?.(call);
  }

  async #timeWrite<Result>(write: LedgerWrite, writePromise: Promise<Result>): Promise<Result> {
    const startedAtMs = this.nowMs();
    try {
      return await writePromise;
    } finally {
      const seconds = (this.nowMs() - startedAtMs) / 1000;
      for (const observer of this.observers) observer.onWrite?.(write, seconds);
    }
  }
}
