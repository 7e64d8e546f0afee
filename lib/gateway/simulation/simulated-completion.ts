import { MAX_CALL_MS } from "@/lib/contract/durations";
import { isObject } from "@/lib/contract/json-value";
import type { TokenUsage } from "@/lib/money/charge";
import { admitAndHold } from "../calls/holds/admit-and-hold";
import type { HeldCall, HoldContext } from "../calls/holds/held-call";
import { readUsage } from "../calls/usage/read-usage";
import { resolveUsage } from "../calls/usage/resolve-usage";
import type { ChargeBasis, FinalOutcome } from "../ledger/funds";
import { type Admission, type AdmissionRequest, NotAdmitted } from "../rate-limits/admissions";
import type { ExactLog } from "./exact-log";
import type { CallEnding, CallRecord } from "./oracles/check-charge";
import type { LedgerOracle } from "./oracles/ledger-oracle";

/** A call from the viewpoints of its client, its provider and its gateway. */
export class SimulatedCompletion implements CallRecord {
  stage: "holding" | "asked" | "ending" | "over" = "holding";
  invoice: TokenUsage | null = null;
  ending: CallEnding | null = null;
  storedCheckpoint = 0;
  /** Whether it was refused, or not admitted yet. */
  holdsNothing = true;
  /** The check that refused it. */
  refusedBy: string | null = null;
  isClientGone = false;
  isComplete = false;
  #admission: Admission | null = null;
  #hold: HeldCall | null = null;
  /** The time of its last admission, from which its hold's deadline counts. */
  #admittedAtMs: number;

  constructor(
    private readonly context: HoldContext,
    readonly request: AdmissionRequest,
    readonly requestId: string,
    private readonly oracle: LedgerOracle,
    private readonly log: ExactLog,
  ) {
    this.#admittedAtMs = context.runtime.clock.nowMs();
  }

  /** The last admission: a second one if the store did not cover the first. */
  get admission(): Admission {
    if (!this.#admission) throw new TypeError(`${this.requestId} was never let through`);
    return this.#admission;
  }

  release(): void {
    this.holdsNothing = true;
  }

  /** @returns whether this is the first admission. */
  admit(admission: Admission): boolean {
    const isFirst = this.#admission === null;
    this.#admission = admission;
    this.#admittedAtMs = this.context.runtime.clock.nowMs();
    this.holdsNothing = false;
    return isFirst;
  }

  get #open(): HeldCall {
    if (!this.#hold) throw new TypeError(`${this.requestId} holds nothing`);
    return this.#hold;
  }

  get maxTokens(): number {
    return this.admission.maxOutputTokens * this.admission.request.choices;
  }

  /** Runs the call from its admission until it is sent to the provider. */
  async start(): Promise<void> {
    try {
      const { requestId } = this;
      const startedAtMs = this.context.runtime.clock.monotonicMs();
      const call = { requestId, stream: false, startedAtMs, recheck: (asked: AdmissionRequest) => asked };
      this.#hold = await admitAndHold(this.context, this.request, call);
      this.oracle.mustHold(this);
      this.stage = "asked";
    } catch (error) {
      this.stage = "over";
      this.ending = { kind: "release", outcome: "unsent" };
      if (error instanceof NotAdmitted && error.status !== 503) this.#refused(error);
      else this.oracle.mustBeRefusal(error);
    }
  }

  /** The provider has read the prompt and generated this many tokens so far. */
  generate(completionTokens: number): void {
    this.invoice = { promptTokens: this.admission.request.promptTokens, completionTokens };
    this.#open.noteFirstByte();
    this.#open.checkpoint(Math.min(completionTokens, this.maxTokens));
  }

  /**
   * The provider's reply is complete; `usage` is what it reports, valid or not. The client has the whole reply once it
   * is settled.
   */
  async complete(usage: unknown): Promise<void> {
    const { promptTokens, completionTokens } = this.#counted();
    const least = { minPromptTokens: 0, minCompletionTokens: 0 };
    const evidence = { promptTokens, output: { completionTokens }, ...least };
    const resolved = resolveUsage(isObject(usage) ? readUsage(usage) : null, evidence);
    this.invoice = resolved.basis === "reported" ? resolved.usage : (this.invoice ?? resolved.usage);
    await this.#settle(resolved.usage, resolved.basis, "completed", 200);
  }

  /** The client disconnects; the tokens generated so far are charged. */
  async leave(): Promise<void> {
    this.isClientGone = true;
    if (this.stage === "asked") this.invoice ??= this.#counted();
    await this.#settle(this.#counted(), "estimated", "client_gone", 499);
  }

  /** The provider fails without output, or could not be reached. */
  async fail({ wasSent }: { wasSent: boolean }): Promise<void> {
    const outcome = wasSent ? "provider_failed" : "unsent";
    this.#end({ kind: "release", outcome }, { wasSent });
    this.stage = "ending";
    await this.#open.release({ outcome, status: 502 }).catch(this.oracle.mustBeRefusal);
    this.stage = "over";
  }

  /** If its provider stays silent for longer than a hold may last, the gateway must charge the call by itself. */
  outlive(nowMs: number): void {
    if (this.stage !== "asked" || nowMs < this.#admittedAtMs + MAX_CALL_MS) return;
    const { promptTokens } = this.admission.request;
    const completionTokens = Math.min(this.#counted().completionTokens, this.maxTokens);
    this.invoice ??= this.#counted();
    this.#end(
      { kind: "settle", usage: { promptTokens, completionTokens }, basis: "interrupted" },
      { wasSent: true },
    );
  }

  /** A second attempt to end a call must do nothing, whichever it is. */
  async #settle(usage: TokenUsage, basis: ChargeBasis, outcome: FinalOutcome, status: number) {
    this.#end({ kind: "settle", usage, basis }, { wasSent: true });
    this.stage = "ending";
    try {
      await this.#open.settle(usage, basis, { outcome, status });
      if (outcome === "completed" && !this.isClientGone) {
        this.isComplete = true;
        this.oracle.mustCharge(this);
      }
    } catch (error) {
      this.oracle.mustBeRefusal(error);
    }
    this.stage = "over";
  }

  /** Records the first end of the call and ignores later ones. */
  #end(ending: CallEnding, { wasSent }: { wasSent: boolean }): void {
    if (this.ending) return;
    this.ending = ending;
    this.log.noteEnd(this.admission, { wasSent });
  }

  #refused({ code, status }: NotAdmitted): void {
    const { projectId, keyId, model } = this.request;
    const refusedCall = {
      requestId: this.requestId,
      projectId,
      keyId,
      model,
      stream: false,
      estimatedTokens: 1,
    };
    const atMs = this.context.runtime.clock.nowMs();
    this.refusedBy = code;
    this.context.funds.logRefusal({ ...refusedCall, atMs, status, refusedBy: code });
  }

  #counted(): TokenUsage {
    const { promptTokens } = this.admission.request;
    return { promptTokens, completionTokens: this.invoice?.completionTokens ?? 0 };
  }
}
