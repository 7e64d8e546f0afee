import { isObject } from "@/lib/contract/json-value";
import { EventSplitter, readEventData } from "../../http/event-splitter";
import { scanObject, spliceObject } from "../../http/json";
import type { StreamController, StreamSource } from "../../http/response";
import type { ResponseStatus } from "../../log/responses/response-store.sql";
import { writeEvent } from "../anthropic/message-blocks";
import { DONE } from "./response-events";

type Fields = Readonly<Record<string, unknown>>;

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
export function writeEnd(response: EndedResponse, sequence_number: number): string {
  const { status } = response;
  const type = status === "completed" || status === "failed" ? status : "incomplete";
  return writeEvent(`response.${type}`, { sequence_number, response });
}

/** Picks the events behind a number from the texts that were stored of a response, as they come. */
export class EventsAfter {
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
