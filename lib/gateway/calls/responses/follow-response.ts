import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "@/lib/contract/json-value";
import { EventSplitter, readEventData } from "../../http/event-splitter";
import { scanObject, spliceObject } from "../../http/json";
import type { OpenStreams } from "../../http/open-streams";
import { type StreamController, StreamedResponse, type StreamSource } from "../../http/response";
import type { BackgroundResponseStore } from "../../log/responses/background-response-store.sql";
import type { ResponseStatus, StoredResponse } from "../../log/responses/response-store.sql";
import { Refusal } from "../../refusal";
import { writeEvent } from "../anthropic/message-blocks";
import { DONE } from "./response-events";

const LOOK_MS = 300;
/** An idle stream gets a comment, which keeps its connection open. */
const COMMENT_MS = 15_000;

interface FollowContext {
  readonly backgroundResponseStore: Pick<BackgroundResponseStore, "partsAfter">;
  readonly openStreams: OpenStreams;
  logFault(requestId: string, error: unknown): void;
}

interface Follower {
  readonly reader: Parameters<OpenStreams["enter"]>[0];
  readonly requestId: string;
  /** The number of the last event that the client has; -1 for none. */
  readonly after: number;
  /** @throws Refusal once the client may no longer read the response, or it is gone. */
  find(): Promise<StoredResponse>;
}

/**
 * Streams the events of a response of the background: those that are stored, then those that come, until its end.
 * @throws Refusal 429 where its key or project has too many streams open.
 */
export function followResponse(context: FollowContext, follower: Follower): Response {
  const leave = context.openStreams.enter(follower.reader);
  const events = listEvents(context, follower);
  const source: StreamSource = {
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (!done) return controller.enqueue(Buffer.from(value));
        leave();
        controller.close();
      } catch (error) {
        leave();
        if (!(error instanceof Refusal)) context.logFault(follower.requestId, error);
        controller.error();
      }
    },
    async cancel() {
      leave();
      await events.return(undefined);
    },
  };
  const headers = {
    "x-request-id": follower.requestId,
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  };
  return new StreamedResponse(source, { headers });
}

async function* listEvents(
  { backgroundResponseStore, openStreams }: FollowContext,
  { after, find }: Follower,
): AsyncGenerator<string, void> {
  const picked = new EventsAfter(after);
  let last = 0;
  let silentMs = 0;
  while (!openStreams.ending.aborted) {
    // Read before the parts: once a response has ended, all of its parts are stored.
    const { id, response, background } = await find();
    const parts = await backgroundResponseStore.partsAfter(id, last);
    last = parts.at(-1)?.number ?? last;
    const text = parts.map((part) => picked.pick(part.text)).join("");
    if (text !== "") yield text;
    if (parts.length > 0) continue;
    if (!background?.isRunning) {
      const ended = response as EndedResponse;
      // Events are kept for a day, and then told of the whole response.
      if (last === 0) yield new EventsAfter(after).pick(writeResponseEvents(ended));
      else if (!picked.isEnded) yield writeEnd(ended, picked.next) + DONE;
      return;
    }
    silentMs += LOOK_MS;
    if (silentMs % COMMENT_MS === 0) yield ":\n\n";
    await sleep(LOOK_MS);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** The events that say what a whole response says, for clients that asked for a stream. */
export function writeResponseEvents(response: Fields): string {
  let sequence = 0;
  const write = (type: string, fields: object) =>
    writeEvent(type, { sequence_number: sequence++, ...fields });
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const items = (Array.isArray(response.output) ? response.output : []).filter(isObject);
  const start = ["response.created", "response.in_progress"].map((type) => write(type, { response: begun }));
  const told = items.map((item, output_index) => writeItem(item, output_index, write));
  const type = response.status === "incomplete" ? "response.incomplete" : "response.completed";
  return [...start, ...told, write(type, { response })].join("");
}

type Write = (type: string, fields: object) => string;

/** The field that grows in an item of each type, and the name of its events. */
const growing: Readonly<Record<string, { readonly field: string; readonly events: string }>> = {
  function_call: { field: "arguments", events: "response.function_call_arguments" },
  custom_tool_call: { field: "input", events: "response.custom_tool_call_input" },
};

const partEvents: Readonly<Record<string, { readonly field: string; readonly events: string }>> = {
  output_text: { field: "text", events: "response.output_text" },
  refusal: { field: "refusal", events: "response.refusal" },
  reasoning_text: { field: "text", events: "response.reasoning_text" },
};

function writeItem(item: Fields, output_index: number, write: Write): string {
  const place = { item_id: item.id, output_index };
  const grows = growing[String(item.type)];
  const parts = (Array.isArray(item.content) ? item.content : []).filter(isObject);
  const begun = {
    ...item,
    status: "in_progress",
    ...(Array.isArray(item.content) && { content: [] }),
    ...(grows && { [grows.field]: "" }),
  };
  let events = write("response.output_item.added", { output_index, item: begun });
  for (const [content_index, part] of parts.entries())
    events += writePart(part, { ...place, content_index }, write);
  if (grows) {
    const text = item[grows.field];
    events += write(`${grows.events}.delta`, { ...place, delta: text });
    events += write(`${grows.events}.done`, { ...place, [grows.field]: text });
  }
  return events + write("response.output_item.done", { output_index, item });
}

function writePart(part: Fields, place: object, write: Write): string {
  const known = partEvents[String(part.type)];
  if (!known) return write("response.content_part.added", { ...place, part });
  const { field, events } = known;
  return [
    write("response.content_part.added", { ...place, part: { ...part, [field]: "" } }),
    write(`${events}.delta`, { ...place, delta: part[field] }),
    write(`${events}.done`, { ...place, [field]: part[field] }),
    write("response.content_part.done", { ...place, part }),
  ].join("");
}

/** A response with its state. */
export type EndedResponse = Fields & { readonly status: ResponseStatus };

const END = /^response\.(?:completed|incomplete|failed)$/;
/** The events of a call that has begun, which a response of the background has told before. */
const TOLD_BEFORE = /^response\.(?:created|queued)$/;

/**
 * The events of a response of the background, from the one that says it is queued: those of its call follow, numbered
 * anew, and an event of its own where the call ends without one.
 */
export class BackgroundEvents implements StreamSource {
  readonly #splitter = new EventSplitter();
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  #sequence = 0;
  #ended: EndedResponse | null = null;

  constructor(
    private readonly begun: Fields,
    private readonly reply: Promise<Response>,
    /** What a client is told of a failure. */
    private readonly explain: (error: unknown) => Fields,
  ) {}

  /** The response as it has ended; null while it goes on. */
  get ended(): EndedResponse | null {
    return this.#ended;
  }

  async pull(controller: StreamController): Promise<void> {
    if (this.#sequence === 0) return controller.enqueue(Buffer.from(this.#start()));
    try {
      const events = await this.#next();
      if (events !== null) return controller.enqueue(Buffer.from(events));
      if (!this.#ended) throw new Error("The events of a response ended without its end");
    } catch (error) {
      controller.enqueue(Buffer.from(this.end("failed", this.explain(error))));
    }
    controller.close();
  }

  /** The call is stopped. */
  async cancel(): Promise<void> {
    const reply = await this.reply.catch(() => null);
    await (this.#reader?.cancel() ?? reply?.body?.cancel());
  }

  /** The event that ends it, where the call has told none. */
  end(status: "failed" | "cancelled", error: Fields | null): string {
    if (this.#ended) return "";
    this.#ended = { ...this.begun, status, error };
    return writeEnd(this.#ended, this.#sequence++) + DONE;
  }

  #start(): string {
    const response = this.begun;
    return ["response.created", "response.queued"]
      .map((type) => writeEvent(type, { sequence_number: this.#sequence++, response }))
      .join("");
  }

  /** @returns null at the end. */
  async #next(): Promise<string | null> {
    this.#reader ??= (await this.reply).body?.getReader() ?? null;
    for (;;) {
      const { done, value } = (await this.#reader?.read()) ?? { done: true };
      if (done || !value) return null;
      const events = this.#splitter.push(value).map((event) => this.#renumber(event));
      const text = events.join("");
      if (text !== "") return text;
    }
  }

  #renumber(event: Buffer): string {
    const data = readEventData(event);
    if (data === null) return "";
    if (data === "[DONE]") return DONE;
    const scanned = scanObject(data);
    const type = readType(data, scanned);
    if (TOLD_BEFORE.test(type)) return "";
    if (END.test(type)) this.#ended = readResponse(data);
    const number = new Map([["sequence_number", String(this.#sequence++)]]);
    return `event: ${type}\ndata: ${spliceObject(data, scanned, number)}\n\n`;
  }
}

function readType(data: string, { members }: ReturnType<typeof scanObject>): string {
  const member = members.get("type");
  return member ? String(JSON.parse(data.slice(member.valueStart, member.end))) : "";
}

function readResponse(data: string): EndedResponse | null {
  const { response } = JSON.parse(data) as Fields;
  return isObject(response) ? (response as EndedResponse) : null;
}

/** The last event of a response. One that was cancelled isn't whole. */
function writeEnd(response: EndedResponse, sequence_number: number): string {
  const { status } = response;
  const type = status === "completed" || status === "failed" ? status : "incomplete";
  return writeEvent(`response.${type}`, { sequence_number, response });
}

/** Picks the events behind a number from the texts that were stored of a response, as they come. */
class EventsAfter {
  readonly #splitter = new EventSplitter();
  #last = -1;
  #isEnded = false;

  constructor(private readonly after: number) {}

  /** Whether the event that ends the response has come. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The number of the next event. */
  get next(): number {
    return this.#last + 1;
  }

  pick(text: string): string {
    const events = this.#splitter.push(Buffer.from(text));
    return events.map((event) => this.#pickEvent(event)).join("");
  }

  #pickEvent(event: Buffer): string {
    const data = readEventData(event);
    if (data === null) return "";
    if (data === "[DONE]") return DONE;
    const scanned = scanObject(data);
    const number = scanned.members.get("sequence_number");
    this.#last = number ? Number(data.slice(number.valueStart, number.end)) : this.#last + 1;
    this.#isEnded ||= END.test(readType(data, scanned));
    return this.#last > this.after ? event.toString() : "";
  }
}
