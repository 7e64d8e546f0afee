import { isObject } from "@/lib/contract/json-value";
import { readEventData } from "../../http/event-splitter";
import { scanObject } from "../../http/json";
import { refusalBody } from "../../http/refuse";
import type { Refusal } from "../../refusal";
import { writeEvent } from "../anthropic/message-blocks";
import { toAnthropicUsage } from "../anthropic/message-parts";
import { toChatUsageObject } from "../usage/write-usage";
import { SYNCHRONOUS_BYTES } from "./reply-memory";
import type { StreamCost, StreamedCall, StreamForm } from "./stream-form";

const MESSAGE_START = Buffer.from('"message_start"');
const MESSAGE_STOP = writeEvent("message_stop", {});

/**
 * A stream of Anthropic's events. Its `message_delta`, which ends the answer and has its usage, waits for the charge,
 * and so does `message_stop`.
 */
export class MessageStreamForm implements StreamForm {
  #isNamed = false;
  #ends: Buffer[] = [];
  #isCutShort = false;

  constructor(private readonly call: StreamedCall) {}

  get hasUsage(): boolean {
    return this.#ends.length > 0;
  }

  rename(event: Buffer): Buffer {
    if (this.#isNamed || !event.includes(MESSAGE_START)) return event;
    this.#isNamed = true;
    return renameMessage(event, this.call.fields.model);
  }

  renameAlike(chunk: Uint8Array): Uint8Array {
    return chunk;
  }

  holdBack(event: Buffer): void {
    this.#ends.push(event);
  }

  /** Closes the block that is open. */
  cutShort(event: Buffer): Buffer {
    this.#ends = [];
    this.#isCutShort = true;
    const { type, index } = readFields(event);
    const isOpen = type === "content_block_delta" && typeof index === "number";
    return Buffer.from(isOpen ? writeEvent("content_block_stop", { index }) : "");
  }

  end({ used: { usage, basis }, reported }: StreamCost): Buffer {
    const charged = this.call.hold.coveredPart(usage);
    const isShown =
      basis === "reported" &&
      reported?.promptTokens === charged.promptTokens &&
      reported.completionTokens === charged.completionTokens;
    const [only, ...more] = this.#ends;
    if (only && more.length === 0 && isShown) return Buffer.concat([only, Buffer.from(MESSAGE_STOP)]);
    return Buffer.from(this.#writeEnd(toAnthropicUsage(toChatUsageObject(charged))) + MESSAGE_STOP);
  }

  /** What the provider's own ends say, with the usage that is charged. */
  #writeEnd(charged: object): string {
    const stop = { stop_reason: this.#isCutShort ? "max_tokens" : "end_turn", stop_sequence: null };
    let fields: Record<string, unknown> = {};
    let [delta, usage]: [object, object] = [stop, {}];
    for (const end of this.#ends) {
      const { type: _, ...said } = readFields(end);
      fields = { ...fields, ...said };
      if (isObject(said.delta) && said.delta.stop_reason) delta = said.delta;
      if (isObject(said.usage)) usage = { ...usage, ...said.usage };
    }
    return writeEvent("message_delta", { ...fields, delta, usage: { ...usage, ...charged } });
  }

  fail(refusal: Refusal): Buffer {
    const body = refusalBody(refusal, this.call.hold.requestId, "anthropic");
    return Buffer.from(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
  }
}

function readFields(event: Buffer): Record<string, unknown> {
  if (event.byteLength > SYNCHRONOUS_BYTES) return {};
  try {
    const fields: unknown = JSON.parse(readEventData(event) ?? "{}");
    return isObject(fields) ? fields : {};
  } catch {
    return {};
  }
}

/** The event with another name of its message's model. Every other byte stays. */
function renameMessage(event: Buffer, name: string): Buffer {
  if (event.byteLength > SYNCHRONOUS_BYTES) return event;
  // In Latin-1 a character is a byte.
  const text = event.toString("latin1");
  const start = text.indexOf("{");
  const message = start < 0 ? undefined : scanObject(text.slice(start)).members.get("message");
  if (!message) return event;
  const at = start + message.valueStart;
  const model = scanObject(text.slice(at, start + message.end)).members.get("model");
  if (!model) return event;
  const named = Buffer.from(JSON.stringify(name));
  return Buffer.concat([event.subarray(0, at + model.valueStart), named, event.subarray(at + model.end)]);
}
