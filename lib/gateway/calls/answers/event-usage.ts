import { ZERO } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import type { ProviderLink } from "../../providers/provider-link";
import { toUnixSeconds } from "../../unix-seconds";
import type { OpenHold } from "../holds/open-hold";
import { StreamMeter } from "../replies/stream-meter";
import { type ResolvedUsage, resolveUsage, showsCharge } from "../usage/resolve-usage";
import { formatUsageEvent } from "../usage/write-usage";
import { readChunkHead } from "./chunk-head";

const CHECKPOINT_MS = 5_000;
const COLON = 0x3a;

/** What a stream of events costs: the tokens that it has brought so far. */
export class EventUsage {
  readonly meter: StreamMeter;
  /** The provider's usage chunk, held back until it is known to be the last one. */
  #usageEvent: Buffer | null = null;
  /** The last chunk that was passed on. */
  #lastChunk: Buffer | null = null;
  /** A time on the monotonic clock. */
  #checkpointAtMs: number;

  /** @param link of the provider that sends the stream; on `isTokenPerEvent` see `StreamMeter`. */
  constructor(
    private readonly hold: OpenHold,
    private readonly link: Pick<ProviderLink, "clock" | "isTokenPerEvent">,
  ) {
    const { request, maxOutputTokens } = hold.admission;
    const { choices } = request;
    this.meter = new StreamMeter(link.isTokenPerEvent, maxOutputTokens * choices, choices);
    this.#checkpointAtMs = link.clock.monotonicMs() + CHECKPOINT_MS;
  }

  /** Whether the answer is whole and its usage has come: nothing more is needed. */
  get isComplete(): boolean {
    return this.meter.isFinished && this.meter.isReportedLast && this.#usageEvent !== null;
  }

  holdBack(usageEvent: Buffer): void {
    this.#usageEvent = usageEvent;
  }

  /** Expects each event that is passed on; comments, which begin with a colon, are no chunks. */
  noteChunk(event: Buffer): void {
    if (event[0] !== COLON) this.#lastChunk = event;
  }

  /** Stores the tokens so far from time to time, so that they are charged if the gateway dies. */
  checkpoint(): void {
    const now = this.link.clock.monotonicMs();
    if (now < this.#checkpointAtMs) return;
    this.#checkpointAtMs = now + CHECKPOINT_MS;
    this.hold.checkpoint(this.meter.completionTokens);
  }

  /** An event with the charged usage: the provider's own chunk where the two are equal. */
  usageEvent(): Buffer | null {
    const { usage, basis } = this.resolve();
    const charged = this.hold.coveredPart(usage);
    const isShown = basis === "reported" && showsCharge(this.meter.reported, charged) && this.#hasChunkForm;
    return isShown ? this.#usageEvent : formatUsageEvent(charged, this.#head());
  }

  /** Whether clients can read the provider's usage event, or there is none because its usage came in a chunk. */
  get #hasChunkForm(): boolean {
    return this.#usageEvent === null || Array.isArray(readChunkHead(this.#usageEvent).choices);
  }

  /** The head of a chunk that the gateway adds: the stream's own, where it has one. */
  #head() {
    const { id, created, model } = readChunkHead(this.#usageEvent ?? this.#lastChunk ?? Buffer.alloc(0));
    const { requestId, createdAtMs, admission } = this.hold;
    return {
      id: id ?? requestId,
      created: created ?? toUnixSeconds(createdAtMs),
      model: model ?? admission.request.model,
    };
  }

  get costsIfFailed(): boolean {
    return (
      this.meter.hasContent && computeCharge(this.resolve().usage, this.hold.admission.request.price) > ZERO
    );
  }

  /** The reported usage, of which the output is complete or at least what was counted. */
  resolve(): ResolvedUsage {
    const { promptTokens, minPromptTokens = 0 } = this.hold.admission.request;
    const { reported, counted: output, minCompletionTokens } = this.meter;
    return resolveUsage(reported, { promptTokens, output, minPromptTokens, minCompletionTokens });
  }
}
