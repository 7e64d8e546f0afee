import { isObject } from "@/lib/contract/json-value";
import { readEventData } from "../../http/event-splitter";
import { scanObject } from "../../http/json";
import type { Refusal } from "../../refusal";
import { writeEvent } from "../anthropic/message-blocks";
import { markSealed } from "../responses/pass-on-response";
import { toResponseId } from "../responses/response-events";
import { toResponseUsage } from "../responses/response-facts";
import { toChatUsageObject } from "../usage/read-usage";
import type { StreamCost, StreamedCall, StreamForm } from "./stream-form";

type Fields = Readonly<Record<string, unknown>>;

const RESPONSE = Buffer.from('"response":');
const ITEM_DONE = Buffer.from('"response.output_item.done"');
const DONE = "data: [DONE]\n\n";

/**
 * A stream of the events of a response, with the gateway's id of it and the name of the model that was asked for. The
 * event that ends it, which has its usage, waits for the charge.
 */
export class ResponseStreamForm implements StreamForm {
  #end: Buffer | null = null;
  #begun: Buffer | null = null;
  #last: Buffer | null = null;
  #isCutShort = false;
  /** The events of the items that are done, for a response that its provider doesn't end. */
  readonly #items: Buffer[] = [];

  constructor(private readonly call: StreamedCall) {}

  get hasUsage(): boolean {
    return this.#end !== null;
  }

  rename(sent: Buffer): Buffer {
    const event = this.#mark(sent);
    this.#last = event;
    if (event.includes(ITEM_DONE)) this.#items.push(event);
    if (!event.includes(RESPONSE)) return event;
    this.#begun ??= event;
    return this.#withOurs(event, {});
  }

  renameAlike(chunk: Uint8Array): Uint8Array {
    return chunk;
  }

  holdBack(event: Buffer): void {
    this.#end = this.#mark(event);
  }

  cutShort(): Buffer {
    this.#isCutShort = true;
    this.#end = null;
    return Buffer.alloc(0);
  }

  end({ used: { usage, basis }, reported }: StreamCost): Buffer {
    const charged = this.call.hold.coveredPart(usage);
    const isShown =
      basis === "reported" &&
      reported?.promptTokens === charged.promptTokens &&
      reported.completionTokens === charged.completionTokens;
    const told = toResponseUsage(toChatUsageObject(charged));
    if (this.#end) {
      const changes: Record<string, string> = isShown ? {} : { usage: JSON.stringify(told) };
      return Buffer.concat([this.#withOurs(this.#end, changes), Buffer.from(DONE)]);
    }
    const ending = this.#isCutShort
      ? { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }
      : { status: "completed" };
    const response = { ...this.#describe(), ...ending, usage: told };
    return Buffer.from(this.#write(`response.${ending.status}`, 1, { response }) + DONE);
  }

  fail(refusal: Refusal): Buffer {
    const { code, message } = refusal.body(this.call.hold.requestId).error;
    const error = { code: code ?? "server_error", message };
    const response = { ...this.#describe(), status: "failed", error };
    return Buffer.from(
      this.#write("error", 1, { ...error, param: null }) +
        this.#write("response.failed", 2, { response }) +
        DONE,
    );
  }

  #mark(event: Buffer): Buffer {
    return markSealed(event, this.call.account);
  }

  /** An event that follows the last one that was passed on. */
  #write(type: string, behind: number, fields: object): string {
    const last = readFields(this.#last).sequence_number;
    return writeEvent(type, { sequence_number: (typeof last === "number" ? last : -1) + behind, ...fields });
  }

  /** The response as it began, with the items that were done since. */
  #describe(): Fields {
    const { response } = readFields(this.#begun);
    const output = this.#items.map((event) => readFields(event).item);
    const { fields, hold, own } = this.call;
    const values = Object.entries(own).map(([name, json]): [string, unknown] => [name, JSON.parse(json)]);
    const ours = { ...Object.fromEntries(values), id: toResponseId(hold.requestId), model: fields.model };
    return { ...(isObject(response) && response), ...ours, output, usage: null };
  }

  /** The event with other values of its response's fields. Every other byte stays. */
  #withOurs(event: Buffer, values: Readonly<Record<string, string>>): Buffer {
    // In Latin-1 a character is a byte.
    const text = event.toString("latin1");
    const start = text.indexOf("{");
    const found = start < 0 ? undefined : scanObject(text.slice(start)).members.get("response");
    if (!found || text[start + found.valueStart] !== "{") return event;
    const at = start + found.valueStart;
    const { members } = scanObject(text.slice(at, start + found.end));
    const id = JSON.stringify(toResponseId(this.call.hold.requestId));
    const { own, fields } = this.call;
    const changes = { id, model: JSON.stringify(fields.model), ...own, ...values };
    const missing = Object.entries(own).filter(([name]) => !members.has(name));
    const edits = Object.entries(changes).flatMap(([name, value]) => {
      const member = members.get(name);
      return member ? [{ ...member, value }] : [];
    });
    const added = missing.map(([name, value]) => `"${name}":${value},`).join("");
    if (members.size > 0) edits.push({ start: 1, valueStart: 1, end: 1, value: added });
    const pieces: Uint8Array[] = [];
    let copiedUntil = 0;
    for (const { valueStart, end, value } of edits.toSorted((one, two) => one.valueStart - two.valueStart)) {
      pieces.push(event.subarray(copiedUntil, at + valueStart), Buffer.from(value));
      copiedUntil = at + end;
    }
    return Buffer.concat([...pieces, event.subarray(copiedUntil)]);
  }
}

function readFields(event: Buffer | null): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse((event && readEventData(event)) ?? "{}");
    return isObject(fields) ? fields : {};
  } catch {
    return {};
  }
}
