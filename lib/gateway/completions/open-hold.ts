import { newId } from "@/lib/contract/ids";
import { chargeFor, coveredUsage, type TokenUsage } from "@/lib/money/charge";
import type { Admission, Admissions } from "../admission/admission";
import type { CallEnd, ChargeBasis, Funds, RequestOutcome } from "../balance/funds";
import type { Effects } from "../effects";
import type { TakenKey } from "./calls-under-way";
import type { OpenHolds } from "./open-holds";

export interface LedgerContext {
  readonly admissions: Admissions;
  readonly funds: Funds;
  readonly effects: Effects;
  readonly openHolds: OpenHolds;
}

const RETRY_MS = 1_000;
/** Twice the longest a call is let run: after that, no one is coming back for its hold. */
const HOLD_MS = 2 * 60 * 60 * 1000;

/** A call as it can be cut short from outside. */
interface CallUnderWay {
  /** The key or session that asked. */
  readonly callerId: string;
  readonly connection: { cut(reason: "access ended"): void };
  /** Where the reply streams. */
  relay?: { endAccess(): void };
}

/** How a call ended, as far as its route knows. */
export interface Ending {
  readonly outcome: RequestOutcome;
  readonly status: number;
}

/**
 * An admitted call from its hold to its one end. Whatever ends it first (answered, failed, client gone) decides; every later
 * attempt to settle or release it does nothing.
 */
export class OpenHold {
  readonly #startedAtMs: number;
  readonly #holdId: string;
  readonly #entryId: string;
  #deadlineAtMs = Number.POSITIVE_INFINITY;
  #checkpointTokens = 0;
  #firstByteAtMs: number | null = null;
  #end: Promise<void> | null = null;
  /** What is under way for it, once a provider is called. */
  underWay: CallUnderWay | null = null;

  constructor(
    private readonly context: LedgerContext,
    readonly admission: Admission,
    readonly requestId: string,
    readonly stream: boolean,
    readonly takenKey?: TakenKey,
  ) {
    this.#startedAtMs = context.effects.clock.monotonicMs();
    // A request has one hold and one charge, so their ids are the request's with another prefix.
    const ownPart = requestId.slice(requestId.indexOf("_") + 1);
    this.#holdId = `hold_${ownPart}`;
    this.#entryId = `txn_${ownPart}`;
  }

  /** Makes the hold durable; the provider may be called once this has resolved. @throws Refusal 402 or 503, and the call is over. */
  async placeHold(): Promise<void> {
    const { request, holdAmount, maxOutputTokens } = this.admission;
    const createdAtMs = this.context.effects.clock.nowMs();
    this.#deadlineAtMs = createdAtMs + HOLD_MS;
    const { projectId, keyId, model, promptTokens, price, choices } = request;
    const hold = {
      id: this.#holdId,
      requestId: this.requestId,
      amount: holdAmount,
      projectId,
      keyId,
      model,
      promptTokens,
      maxCompletionTokens: maxOutputTokens * choices,
      price,
      createdAtMs,
      deadlineAtMs: this.#deadlineAtMs,
      idempotency: this.takenKey?.idempotency,
    };
    let isPlaced = false;
    try {
      isPlaced = await this.context.funds.placeHold(hold);
    } finally {
      if (!isPlaced) {
        this.#end = Promise.resolve();
        this.context.admissions.release(this.admission, { sent: false });
      }
    }
    if (!isPlaced) throw this.context.admissions.notCovered(holdAmount);
    if (this.takenKey) this.takenKey.isHeld = true;
    this.context.openHolds.add(this);
  }

  get isEnded(): boolean {
    return this.#end !== null;
  }

  firstByteCame(): void {
    this.#firstByteAtMs ??= this.context.effects.clock.monotonicMs();
  }

  /** What of this usage is charged: all of it, or as much as the hold pays for. */
  charged(usage: TokenUsage): TokenUsage {
    return coveredUsage(usage, this.admission.request.price, this.admission.holdAmount);
  }

  /** What has been generated so far, kept for the case that the gateway dies. */
  checkpoint(completionTokens: number): void {
    this.#checkpointTokens = completionTokens;
    this.context.funds.checkpoint(this.#holdId, completionTokens);
  }

  /**
   * Charges the call, at most its hold; resolves when that is on disk. `reply` is kept with it for repeats.
   * @throws Refusal 503 when the store doesn't take it; the charge is then repeated in the background until it does.
   */
  settle(usage: TokenUsage, basis: ChargeBasis, ending: Ending, reply?: string): Promise<void> {
    if (this.#end) return this.#end;
    const { holdAmount, request } = this.admission;
    const { admissions, funds, effects } = this.context;
    const charge = chargeFor(usage, request.price);
    const settlement = {
      holdId: this.#holdId,
      entryId: this.#entryId,
      varianceEntryId: charge > holdAmount ? newId("txn", effects.clock.nowMs(), effects.random) : "",
      charge,
      usage,
      basis,
      end: this.#callEnd(ending),
      reply,
    };
    this.#end = this.#untilTaken(
      () => funds.settle(settlement),
      (wasOpen) => {
        const tokens = usage.promptTokens + usage.completionTokens;
        admissions.settle(this.admission, tokens, wasOpen && charge < holdAmount ? charge : holdAmount);
      },
    );
    return this.#end;
  }

  /** Charges a call that has outlived its hold for what it is known to have generated, as after a crash. */
  settleOverdue(nowMs: number): void {
    if (this.#end || nowMs < this.#deadlineAtMs) return;
    const usage = {
      promptTokens: this.admission.request.promptTokens,
      completionTokens: this.#checkpointTokens,
    };
    this.settle(usage, "interrupted", { outcome: "interrupted", status: 500 }).catch(() => {});
  }

  endAccess(id: string): void {
    const { underWay } = this;
    if (this.#end || !underWay || (id !== underWay.callerId && id !== this.admission.request.keyId)) return;
    if (underWay.relay) underWay.relay.endAccess();
    else underWay.connection.cut("access ended");
  }

  /** Ends a call that costs nothing, as `settle` does. */
  release(ending: Ending): Promise<void> {
    const { admissions, funds } = this.context;
    const { estimatedTokens, holdAmount } = this.admission;
    const release = { holdId: this.#holdId, end: this.#callEnd(ending) };
    this.#end ??= this.#untilTaken(
      () => funds.release(release),
      (wasOpen) => {
        // Another process has taken the hold over, and charged what is not known here: at most all of it.
        if (!wasOpen) admissions.settle(this.admission, estimatedTokens, holdAmount);
        else admissions.release(this.admission, { sent: ending.outcome !== "unsent" });
      },
    );
    return this.#end;
  }

  /** Memory follows the store: limits are corrected only once the store has said so. */
  async #untilTaken(write: () => Promise<boolean>, follow: (wasOpen: boolean) => void): Promise<void> {
    let wasOpen: boolean;
    try {
      wasOpen = await write();
    } catch (error) {
      setTimeout(() => this.#untilTaken(write, follow).catch(() => {}), RETRY_MS).unref();
      throw error;
    }
    follow(wasOpen);
    this.context.openHolds.delete(this);
    this.takenKey?.giveBack();
  }

  #callEnd({ outcome, status }: Ending): CallEnd {
    const { clock } = this.context.effects;
    const since = (ms: number) => Math.round(ms - this.#startedAtMs);
    return {
      outcome,
      status,
      stream: this.stream,
      estimatedTokens: this.admission.estimatedTokens,
      firstByteMs: this.#firstByteAtMs === null ? null : since(this.#firstByteAtMs),
      durationMs: since(clock.monotonicMs()),
      atMs: clock.nowMs(),
    };
  }
}
