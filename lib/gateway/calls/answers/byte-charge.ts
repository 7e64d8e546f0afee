import type { FinalOutcome } from "../../ledger/funds";
import type { OpenHold } from "../holds/open-hold";
import type { TranscriptMeter } from "../replies/transcript-meter";
import type { ReplyCharge } from "./reply-relay";

/**
 * What a reply of bytes costs. A call priced by its input is charged in full once its client has received a part of the
 * reply, and a transcript priced by tokens for what the meter has read.
 */
export class ByteCharge implements ReplyCharge {
  readonly costsIfFailed = false;

  constructor(
    private readonly hold: OpenHold,
    /** Null for a call priced by its input. */
    private readonly meter: TranscriptMeter | null,
  ) {}

  async settle(outcome: FinalOutcome, status: number, reply?: string): Promise<void> {
    const { request } = this.hold.admission;
    const byInput = { promptTokens: 0, completionTokens: 0, units: request.units };
    const { usage, basis } = this.meter?.usage(request) ?? { usage: byInput, basis: "reported" };
    await this.hold.settle(usage, basis, { outcome, status }, reply);
  }

  /** A reply that the provider breaks off costs nothing. */
  settleFailed(status: number): Promise<void> {
    return this.hold.release({ outcome: "provider_failed", status });
  }
}
