import { MAX_CALL_MS } from "@/lib/contract/durations";
import { deriveId, newId } from "@/lib/contract/ids";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { type Nano, parseCheckedAmount } from "@/lib/money/amount";
import { computeCharge, findCoveredUsage, type ReportedUsage, type TokenUsage } from "@/lib/money/charge";
import type { ClockAndRandom } from "../../clock";
import type { IdempotencyLock } from "../../idempotency/idempotency";
import type { CallEnd, ChargeBasis, FinalOutcome, Funds, HoldDraft, TaskDraft } from "../../ledger/funds";
import type { UnaccountedCosts } from "../../ledger/unaccounted/unaccounted-costs";
import { type ListItem, UnorderedList } from "../../lists/unordered-list";
import { atRoutePrice } from "../../models/model-entry";
import {
  type Admission,
  type AdmissionRequest,
  type Admissions,
  countTokens,
} from "../../rate-limits/admissions";

export interface HoldContext {
  readonly admissions: Admissions;
  readonly funds: Funds;
  readonly runtime: ClockAndRandom;
  readonly heldCalls: HeldCalls;
  /** Sums what providers may bill for failed attempts; absent in the simulation, which makes none. */
  readonly unaccountedCosts?: Pick<UnaccountedCosts, "note">;
  /** Learns from what providers report; absent where prompts aren't counted. */
  readonly promptCounter?: { learn(request: AdmissionRequest, usage: ReportedUsage): void };
}

const RETRY_MS = 1_000;
/** The model rate that leaves list prices as they are. */
const LIST_RATE = parseCheckedAmount("1");

/** The call that a hold is for, as far as its hold has to know it. */
export interface CallUnderWay {
  /** The calling key or session. */
  readonly callerId: string;
  /** What the log and the receipt say of it so far; null before it is sent. */
  describe(): { readonly provider: string; readonly receiptDetails: string } | null;
  /** Ends it, since its caller has lost access. */
  endAccess(): void;
  /** Ends it if its caller has lost what it needs: a permission, a project, a model. */
  endIfLost(): void;
}

/** What a hold has to know of its call besides the admission request. */
export interface CallToHold {
  readonly requestId: string;
  readonly stream: boolean;
  readonly idempotencyLock?: IdempotencyLock | undefined;
  /** The batch whose line it is. */
  readonly batchId?: string | undefined;
  /** The task to store with the hold. */
  readonly task?: TaskDraft;
  /** A time on the monotonic clock. */
  readonly startedAtMs: number;
  /**
   * The same call with the limits and prices that other processes have changed.
   * @throws Refusal where its caller has lost access.
   */
  recheck(asked: AdmissionRequest): AdmissionRequest;
  /** Absent for a task, whose worker ends its hold. */
  readonly underWay?: CallUnderWay;
}

/** How a call ended, for the request log. */
export interface Ending {
  readonly outcome: FinalOutcome;
  readonly status: number;
}

/**
 * A call whose hold is on disk, until it ends. Only the first end counts (answered, failed, or client gone); later
 * attempts to settle or release it do nothing.
 */
export class HeldCall {
  #checkpointTokens = 0;
  #storedDetails: string | null = null;
  #isSwept = false;
  #firstByteAtMs: number | null = null;
  #end: Promise<void> | null = null;
  /** Among the open holds. */
  position = -1;

  constructor(
    private readonly context: HoldContext,
    readonly admission: Admission,
    private readonly draft: HoldDraft,
    private readonly call: CallToHold,
    /** On the monotonic clock: a wall clock that jumps ahead must not end calls under way. */
    private readonly heldAtMs: number,
  ) {}

  get requestId(): string {
    return this.draft.requestId;
  }

  get createdAtMs(): number {
    return this.draft.createdAtMs;
  }

  get stream(): boolean {
    return this.call.stream;
  }

  /** Set if the call has an idempotency key: it is then completed even if its client disconnects. */
  get idempotencyLock(): IdempotencyLock | undefined {
    return this.call.idempotencyLock;
  }

  get isEnded(): boolean {
    return this.#end !== null;
  }

  noteFirstByte(): void {
    this.#firstByteAtMs ??= this.context.runtime.clock.monotonicMs();
  }

  /** The part of a usage that is charged: all of it, up to what the hold covers. */
  coveredPart(usage: TokenUsage): TokenUsage {
    return findCoveredUsage(usage, this.admission.request.price, this.admission.holdAmount);
  }

  /** Stores how much has been generated so far, so that it is charged if the gateway dies. */
  checkpoint(completionTokens: number): void {
    this.#checkpointTokens = completionTokens;
    this.#storeCheckpoint();
  }

  /**
   * Stores what has changed in a call's receipt details, in case the gateway dies. A call that ends before its second
   * sweep is never stored.
   */
  sweep(): void {
    const described = this.#end ? null : this.#describe();
    if (!described) return;
    if (this.#isSwept && described.receiptDetails !== this.#storedDetails) this.#storeCheckpoint();
    this.#isSwept = true;
  }

  #storeCheckpoint(): void {
    const described = this.#describe();
    this.#storedDetails = described?.receiptDetails ?? null;
    this.context.funds.checkpoint(this.draft.id, {
      completionTokens: this.#checkpointTokens,
      stream: this.stream,
      provider: described?.provider ?? null,
      receiptDetails: this.#storedDetails,
    });
  }

  /**
   * Charges the call, up to its hold; resolves when the charge is on disk. `reply` is stored with it for repeats.
   * @throws Refusal 503 where the store doesn't accept it; the charge is then retried in the background.
   */
  settle(reportedUsage: ReportedUsage, basis: ChargeBasis, ending: Ending, reply?: string): Promise<void> {
    if (this.#end) return this.#end;
    const { holdAmount, request } = this.admission;
    const usage = basis === "reported" ? reportedUsage : withPromptAudio(reportedUsage, request);
    const { admissions, funds, runtime, promptCounter } = this.context;
    if (basis === "reported") promptCounter?.learn(request, usage);
    const charge = computeCharge(usage, request.price);
    const countedTokens = countTokens(this.admission, usage);
    const settlement = {
      holdId: this.draft.id,
      entryId: deriveId("txn", this.requestId),
      varianceEntryId: charge > holdAmount ? newId("txn", runtime.clock.nowMs(), runtime.random) : "",
      charge,
      usage,
      countedTokens,
      basis,
      end: this.#callEnd(ending),
      reply,
    };
    this.#end = this.#commitOrRetry(
      () => funds.settle(settlement),
      (wasOpen) => {
        const charged = wasOpen && charge < holdAmount ? charge : holdAmount;
        return admissions.settle(this.admission, countedTokens, charged);
      },
    );
    return this.#end;
  }

  /** The provider of a route may bill an attempt that failed, for which nobody is charged. */
  noteUnaccounted(route: ModelRoute): void {
    const { provider, model: providerModel } = route;
    const { request } = this.admission;
    const { model, promptTokens } = request;
    const amount = estimateCost(request, route);
    this.context.unaccountedCosts?.note({ provider, providerModel, model, promptTokens, amount });
  }

  /** Charges a call that has outlived its hold for the output known so far. */
  settleOverdue(): void {
    const ageMs = this.context.runtime.clock.monotonicMs() - this.heldAtMs;
    if (this.#end || ageMs < MAX_CALL_MS) return;
    const usage = {
      promptTokens: this.admission.request.promptTokens,
      completionTokens: this.#checkpointTokens,
      units: this.draft.units,
    };
    this.settle(usage, "interrupted", { outcome: "interrupted", status: 500 }).catch(() => {});
  }

  /** A batch's line under way goes on: its answer is paid for, and no client is there to be cut off from it. */
  endAccess(id: string): void {
    const { underWay, batchId } = this.call;
    if (this.#end || !underWay || batchId !== undefined) return;
    if (id === underWay.callerId || id === this.admission.request.keyId) underWay.endAccess();
  }

  /** As above, for a caller who may have lost a part of their access. */
  endIfLost(): void {
    const { underWay, batchId } = this.call;
    if (!this.#end && batchId === undefined) underWay?.endIfLost();
  }

  /** Ends a call that costs nothing; otherwise like `settle`. */
  release(ending: Ending): Promise<void> {
    const { admissions, funds } = this.context;
    const { estimatedTokens, holdAmount } = this.admission;
    const release = { holdId: this.draft.id, end: this.#callEnd(ending) };
    this.#end ??= this.#commitOrRetry(
      () => funds.release(release),
      (wasOpen) => {
        // Another process has taken over the hold and charged an unknown amount, at most the whole hold.
        if (!wasOpen) return admissions.settle(this.admission, estimatedTokens, holdAmount);
        return admissions.release(this.admission, { sent: ending.outcome !== "unsent" });
      },
    );
    return this.#end;
  }

  /** Corrects the limits in memory only after the store has committed. */
  async #commitOrRetry(
    write: () => Promise<boolean>,
    afterCommit: (wasOpen: boolean) => void | Promise<void>,
  ): Promise<void> {
    let wasOpen: boolean;
    try {
      wasOpen = await write();
    } catch (error) {
      setTimeout(() => this.#commitOrRetry(write, afterCommit).catch(() => {}), RETRY_MS).unref();
      throw error;
    }
    const adjusting = afterCommit(wasOpen);
    if (adjusting) await adjusting;
    this.context.heldCalls.delete(this);
    this.idempotencyLock?.release();
  }

  #callEnd({ outcome, status }: Ending): CallEnd {
    const { clock } = this.context.runtime;
    const { startedAtMs } = this.call;
    const described = this.#describe();
    return {
      outcome,
      status,
      stream: this.stream,
      estimatedTokens: this.admission.estimatedTokens,
      firstByteMs: this.#firstByteAtMs === null ? null : Math.round(this.#firstByteAtMs - startedAtMs),
      durationMs: Math.round(clock.monotonicMs() - startedAtMs),
      atMs: clock.nowMs(),
      provider: described?.provider ?? null,
      receiptDetails: described?.receiptDetails ?? null,
    };
  }

  #describe() {
    return this.call.underWay?.describe() ?? null;
  }
}

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
  #onEmpty: (() => void) | null = null;

  /** Waits until no call has a hold, at most for this time. */
  async ended(timeoutMs: number): Promise<void> {
    if (this.#calls.size === 0) return;
    const timer = setTimeout(() => this.#onEmpty?.(), timeoutMs);
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    clearTimeout(timer);
  }

  add(call: HeldOpen): void {
    this.#calls.add(call);
  }

  delete(call: HeldOpen): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#onEmpty?.();
  }

  /** Settles the calls that have outlived their holds. Call it regularly. */
  settleOverdue(): void {
    this.#calls.each((call) => call.settleOverdue());
  }

  /** Stores what has changed in the receipt details of calls in progress. Call it regularly. */
  sweep(): void {
    this.#calls.each((call) => call.sweep());
  }

  /** Ends calls whose callers have lost their permission. Call it when access has changed. */
  endLost(): void {
    this.#calls.each((call) => call.endIfLost());
  }

  /** Ends the calls of a revoked key or an ended session. */
  endAccess(id: string): void {
    this.#calls.each((call) => call.endAccess(id));
  }
}

/** The charge of a call that writes as much output as expected. */
export function computeExpectedCharge(request: AdmissionRequest): Nano {
  const { promptTokens, expectedOutputTokens, choices, units, price } = request;
  const completionTokens = expectedOutputTokens * choices;
  const usage = { promptTokens, completionTokens, units, toolCalls: findLeastToolCalls(request) };
  return computeCharge(withPromptAudio(usage, request), price);
}

/** What the provider of a route charges for such a call, at its own price or else at list price. */
export function estimateCost(request: AdmissionRequest, route: ModelRoute): Nano {
  const price = { ...atRoutePrice(request.price, route), rate: LIST_RATE };
  return computeExpectedCharge({ ...request, price });
}

/** What is known of a call's usage before its provider tells it. */
export function describeEvidence(request: AdmissionRequest) {
  const { promptTokens, minPromptTokens = 0, isPriority } = request;
  return { promptTokens, minPromptTokens, isPriority, toolCalls: findLeastToolCalls(request) };
}

/** The calls of tools that are charged where the provider reports none. */
function findLeastToolCalls({
  toolCalls,
  choices,
}: Pick<AdmissionRequest, "toolCalls" | "choices">): ReportedUsage["toolCalls"] {
  const least = Object.entries(toolCalls ?? {}).filter(([, { min }]) => min > 0);
  if (least.length === 0) return undefined;
  return Object.fromEntries(least.map(([name, { min }]) => [name, min * choices]));
}

/** A usage that isn't reported, with the audio of the prompt as it was estimated. */
function withPromptAudio(
  usage: ReportedUsage,
  { audioTokens, price }: Pick<AdmissionRequest, "audioTokens" | "price">,
): ReportedUsage {
  if (!price.audio || !audioTokens || usage.audio?.promptTokens) return usage;
  const promptTokens = Math.min(audioTokens, usage.promptTokens);
  return { ...usage, audio: { promptTokens, completionTokens: usage.audio?.completionTokens ?? 0 } };
}
