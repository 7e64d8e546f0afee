import type { TokenUsage } from "@/lib/money/charge";
import type { Admission } from "../admission/admission";
import type { ChargeBasis, RequestOutcome } from "../balance/funds";
import { type LedgerContext, OpenHold } from "../completions/open-hold";
import { readUsage } from "../completions/read-usage";
import type { CallEnding, CallRecord } from "./call-record";
import type { LedgerOracle } from "./ledger-oracle";
import type { PerfectLog } from "./perfect-log";

const HOLD_MS = 2 * 60 * 60 * 1_000;

/** A call that was let through, with what its client, its provider and its gateway each know of it. */
export class SimulatedCall implements CallRecord {
  stage: "holding" | "asked" | "ending" | "over" = "holding";
  invoice: TokenUsage | null = null;
  ending: CallEnding | null = null;
  storedCheckpoint = 0;
  /** Its hold was not placed. */
  holdsNothing = false;
  isClientGone = false;
  isComplete = false;
  readonly #open: OpenHold;
  readonly #startedAtMs: number;

  constructor(
    private readonly context: LedgerContext,
    readonly admission: Admission,
    readonly requestId: string,
    private readonly oracle: LedgerOracle,
    private readonly log: PerfectLog,
  ) {
    this.#open = new OpenHold(context, admission, requestId, false);
    this.#startedAtMs = context.effects.clock.nowMs();
  }

  get maxTokens(): number {
    return this.admission.maxOutputTokens * this.admission.request.choices;
  }

  /** From its hold to the moment it goes to the provider. */
  async start(): Promise<void> {
    try {
      await this.#open.placeHold();
      this.oracle.mustHold(this);
      this.stage = "asked";
    } catch (error) {
      this.stage = "over";
      this.holdsNothing = true;
      this.ending = { kind: "release", outcome: "unsent" };
      this.oracle.mustBeRefusal(error);
    }
  }

  /** The provider has read the prompt, and generated this many tokens until now. */
  generate(completionTokens: number): void {
    this.invoice = { promptTokens: this.admission.request.promptTokens, completionTokens };
    this.#open.firstByteCame();
    this.#open.checkpoint(Math.min(completionTokens, this.maxTokens));
  }

  /** The provider's reply is whole; `usage` is what stands in it, whatever that is. The client has it all once it is settled. */
  async complete(usage: unknown): Promise<void> {
    const reported = readUsage(usage);
    this.invoice = reported ?? this.invoice ?? this.#counted();
    await this.#settle(reported ?? this.#counted(), reported ? "reported" : "estimated", "completed", 200);
  }

  /** The client hangs up; what was generated is charged. */
  async leave(): Promise<void> {
    this.isClientGone = true;
    if (this.stage === "asked") this.invoice ??= this.#counted();
    await this.#settle(this.#counted(), "estimated", "client_gone", 499);
  }

  /** The provider fails with nothing generated, or could not be reached at all. */
  async fail({ wasSent }: { wasSent: boolean }): Promise<void> {
    const outcome = wasSent ? "provider_failed" : "unsent";
    this.#end({ kind: "release", outcome }, { wasSent });
    this.stage = "ending";
    await this.#open.release({ outcome, status: 502 }).catch(this.oracle.mustBeRefusal);
    this.stage = "over";
  }

  /** Where its provider is silent for longer than a hold may last, the gateway is to charge the call by itself. */
  outlive(nowMs: number): void {
    if (this.stage !== "asked" || nowMs < this.#startedAtMs + HOLD_MS) return;
    const { promptTokens } = this.admission.request;
    const completionTokens = Math.min(this.#counted().completionTokens, this.maxTokens);
    this.invoice ??= this.#counted();
    this.#end(
      { kind: "settle", usage: { promptTokens, completionTokens }, basis: "interrupted" },
      { wasSent: true },
    );
  }

  /** A second attempt to end a call must do nothing, whichever it is. */
  async #settle(usage: TokenUsage, basis: ChargeBasis, outcome: RequestOutcome, status: number) {
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

  /** Its first end is the one that counts. */
  #end(ending: CallEnding, { wasSent }: { wasSent: boolean }): void {
    if (this.ending) return;
    this.ending = ending;
    this.log.ended(this.admission, { wasSent });
  }

  #counted(): TokenUsage {
    const { promptTokens } = this.admission.request;
    return { promptTokens, completionTokens: this.invoice?.completionTokens ?? 0 };
  }
}
