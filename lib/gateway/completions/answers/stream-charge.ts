import type { ReportedUsage } from "@/lib/money/charge";
import type { FinalOutcome } from "../../balance/funds";
import type { OpenHold } from "../holds/open-hold";
import { StreamMeter } from "../replies/stream-meter";
import { formatUsageEvent, showsCharge } from "../usage/read-usage";

const CHECKPOINT_MS = 5_000;

/** What a stream costs: the tokens that it has brought so far, and the end of its hold. */
export class StreamCharge {
  readonly meter: StreamMeter;
  /** The provider's usage chunk, held back until it is known to be the last one. */
  #usageEvent: Buffer | null = null;
  #checkpointAtMs = performance.now() + CHECKPOINT_MS;

  /** @param isTokenPerEvent see `StreamMeter`. */
  constructor(
    private readonly hold: OpenHold,
    isTokenPerEvent: boolean,
  ) {
    const { request, maxOutputTokens } = hold.admission;
    this.meter = new StreamMeter(isTokenPerEvent, maxOutputTokens * request.choices);
  }

  holdBack(usageEvent: Buffer): void {
    this.#usageEvent = usageEvent;
  }

  /** Stores the tokens so far from time to time, so that they are charged if the gateway dies. */
  checkpoint(): void {
    const now = performance.now();
    if (now < this.#checkpointAtMs) return;
    this.#checkpointAtMs = now + CHECKPOINT_MS;
    this.hold.checkpoint(this.meter.completionTokens);
  }

  /** An event with the charged usage: the provider's own chunk where the two are equal. */
  usageEvent(): Buffer | null {
    const { reported, isReportedLast } = this.meter;
    const charged = this.hold.coveredPart(this.#usage());
    return isReportedLast && showsCharge(reported, charged) ? this.#usageEvent : formatUsageEvent(charged);
  }

  /** @param reply is stored for repeats. */
  async settle(outcome: FinalOutcome, status: number, reply?: string): Promise<void> {
    const usage = this.#usage();
    const basis = usage === this.meter.reported ? "reported" : "estimated";
    await this.hold.settle(usage, basis, { outcome, status }, reply);
  }

  /** Charges for what a provider generated before it failed, if anything. */
  settleFailed(status: number): Promise<void> {
    return this.meter.hasContent
      ? this.settle("provider_failed", status)
      : this.hold.release({ outcome: "provider_failed", status });
  }

  /** The reported usage where it is complete; otherwise at least the counted tokens. */
  #usage(): ReportedUsage {
    const { reported, isReportedLast, completionTokens } = this.meter;
    if (!reported) return { promptTokens: this.hold.admission.request.promptTokens, completionTokens };
    const isEnough = isReportedLast || reported.completionTokens >= completionTokens;
    return isEnough ? reported : { ...reported, completionTokens };
  }
}
