import { toUnixSeconds } from "../../clock";
import { formatEvent } from "../../http/event-splitter";
import { refusalBody } from "../../http/response";
import type { Refusal } from "../../refusal";
import { formatUsageEvent } from "../usage/read-usage";
import { showsCharge } from "../usage/resolve-usage";
import { ModelNames, type ParsedEvent, readChunkHead } from "./stream-event";
import type { StreamCost, StreamedCall, StreamForm } from "./stream-form";

const DONE = Buffer.from("data: [DONE]\n\n");
const COLON = 0x3a;

/** A stream of `chat.completion.chunk` events, which ends with the usage, if it was asked for, and `[DONE]`. */
export class ChatStreamForm implements StreamForm {
  readonly #names: ModelNames;
  /** The provider's usage chunk, held back until it is known to be the last one. */
  #usageEvent: Buffer | null = null;
  /** The last chunk that was passed on. */
  #lastChunk: Buffer | null = null;

  constructor(private readonly call: StreamedCall) {
    this.#names = new ModelNames(call.fields.model);
  }

  get hasUsage(): boolean {
    return this.#usageEvent !== null;
  }

  rename(event: Buffer, parsed?: ParsedEvent): Buffer {
    const named = this.#rename(event, parsed);
    // Comments, which begin with a colon, are no chunks.
    if (named[0] !== COLON) this.#lastChunk = named;
    return named;
  }

  renameAlike(chunk: Uint8Array): Uint8Array {
    return this.#names.renameAlike(chunk);
  }

  holdBack(event: Buffer, parsed?: ParsedEvent): void {
    this.#usageEvent = this.#rename(event, parsed);
  }

  #rename(event: Buffer, parsed?: ParsedEvent): Buffer {
    return this.#names.rename(event, parsed && "modelPlace" in parsed ? parsed.modelPlace : undefined);
  }

  /** The last chunk has the id and model of the event that exceeds the limit. */
  cutShort(event: Buffer, choices: number): Buffer {
    const { id, created, model } = readChunkHead(event);
    const ends = Array.from({ length: choices }, (_, index) => ({
      index,
      delta: {},
      finish_reason: "length",
    }));
    return this.#rename(formatEvent({ id, object: "chat.completion.chunk", created, model, choices: ends }));
  }

  end(cost: StreamCost): Buffer {
    const isAsked = this.call.fields.stream_options?.include_usage === true;
    const usageEvent = isAsked ? this.#writeUsage(cost) : null;
    return usageEvent ? Buffer.concat([usageEvent, DONE]) : DONE;
  }

  /**
   * An event with the charged usage: the provider's own chunk where the two are equal, and none where its usage came in
   * a chunk that was passed on.
   */
  #writeUsage({ used: { usage, basis }, reported }: StreamCost): Buffer | null {
    const charged = this.call.hold.coveredPart(usage);
    const isShown = basis === "reported" && showsCharge(reported, charged) && this.#hasChunkForm;
    return isShown ? this.#usageEvent : formatUsageEvent(charged, this.#head());
  }

  /** Whether clients can read the provider's usage event, if there is one. */
  get #hasChunkForm(): boolean {
    return this.#usageEvent === null || Array.isArray(readChunkHead(this.#usageEvent).choices);
  }

  /** The head of a chunk that the gateway adds: the stream's own, where it has one. */
  #head() {
    const { id, created, model } = readChunkHead(this.#usageEvent ?? this.#lastChunk ?? Buffer.alloc(0));
    const { requestId, createdAtMs, admission } = this.call.hold;
    return {
      id: id ?? requestId,
      created: created ?? toUnixSeconds(createdAtMs),
      model: model ?? admission.request.model,
    };
  }

  fail(refusal: Refusal): Buffer {
    return formatEvent(refusalBody(refusal, this.call.hold.requestId, "openai"));
  }
}
