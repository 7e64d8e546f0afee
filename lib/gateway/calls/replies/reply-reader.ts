import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { isObject } from "@/lib/contract/json-value";
import type { EmbeddingForm } from "@/lib/contract/operations/calls/embeddings";
import type { TokenUsage } from "@/lib/money/charge";
import { type BodyPieces, joinPieces } from "../../http/body-reader";
import { readEventData } from "../../http/event-splitter";
import { parseReply } from "../../http/json";
import { WorkerClient } from "../../http/worker-client";
import { providerAnsweredOddly } from "../../providers/provider-failure";
import { toAnthropicUsage } from "../anthropic/message-blocks";
import type { Chunk } from "../anthropic/message-events";
import { type ChatCompletion, type MessageReply, translateReply } from "../anthropic/translate-reply";
import type { ChatReply } from "../anthropic/write-chat-reply";
import { type ResponseReply, writeResponse } from "../responses/response-events";
import { toResponseUsage } from "../responses/response-facts";
import { toChatUsageObject, toInputUsageObject } from "../usage/read-usage";
import {
  type CompletionPlaces,
  convertEmbeddings,
  decodeText,
  findPlaces,
  type ParsedCompletion,
  parseCompletion,
  type ReplyKind,
  toChatReply,
  toWholeReply,
  type ValuePlace,
  writeReplyEvents,
} from "./completion";
import { ReplyMemory, SYNCHRONOUS_BYTES } from "./reply-memory";
import type { ParsedEvent } from "./stream-event";

const TIMEOUT_MS = 30_000;

/** Long events with their parsed. */
export type LongEvents = ReadonlyMap<Buffer, ParsedEvent>;

/** Values that the gateway writes in place of the provider's; null for those that stay. */
interface OtherValues {
  readonly usage: TokenUsage | null;
  readonly model: string | null;
  /** What a response says of the gateway's own, as JSON; absent for other replies. */
  readonly own?: Readonly<Record<string, string>> | null;
}

/** A response that a completion was translated to. */
interface WrittenResponse {
  readonly response: Readonly<Record<string, unknown>>;
  /** The same as JSON, where it is long and was written on the thread. */
  readonly bytes: Uint8Array | null;
}

/** A completion with its parsed and the provider's original bytes. */
export interface ReadCompletion extends ParsedCompletion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same completion with another usage, and with another name of the model if it has one. */
  withOthers(others: OtherValues): BodyPieces;
}

/**
 * Parses provider replies: short texts on the event loop, long ones on a thread that starts with the first of them. So
 * a long reply never delays other callers' streams.
 */
export class ReplyReader {
  readonly #thread: WorkerClient<ReplyQuestion, ReplyAnswer>;

  /**
   * @param logFault receives the reason why a thread ended.
   * @param memory limits all long replies together.
   * @param start starts a thread of `reply-thread.ts`.
   */
  constructor(
    logFault: (reason: string) => void,
    readonly memory = new ReplyMemory(),
    start = () => new Worker(new URL("./reply-thread.ts", import.meta.url)),
  ) {
    this.#thread = new WorkerClient({
      start,
      timeoutMs: TIMEOUT_MS,
      listTransfers: ({ pieces }) => [...new Set(pieces.map(({ buffer }) => buffer))],
      standsAlone: () => true,
      createLossError: () => providerAnsweredOddly("The thread that reads long replies ended"),
      createCostError: () => providerAnsweredOddly(`Its reply took longer than ${TIMEOUT_MS} ms to read`),
      logFault,
    });
  }

  close(): void {
    this.#thread.close();
  }

  /** @throws Refusal 502 for a reply that is invalid at its endpoint. */
  readCompletion(
    pieces: BodyPieces,
    endpoint: ReplyKind,
    form?: EmbeddingForm,
  ): ReadCompletion | Promise<ReadCompletion> {
    if (isLong(pieces)) return this.#readLongCompletion(pieces, endpoint, form);
    const bytes = orProviderFailed(() => toWholeReply(joinPieces(pieces) as Uint8Array<ArrayBuffer>));
    const sent = decodeText(bytes);
    const reply = orProviderFailed(() => parseReply(sent));
    const parsed = orProviderFailed(() => parseCompletion(endpoint, reply));
    if (!form || !convertEmbeddings(reply, form)) return new ShortCompletion(bytes, parsed, sent, endpoint);
    const text = JSON.stringify(reply);
    return new ShortCompletion(new TextEncoder().encode(text), parsed, text, endpoint);
  }

  /** Translates a completion into a Message, as JSON. @throws Refusal 502 for anything but a completion. */
  async translateReply(pieces: BodyPieces, options: MessageReply): Promise<BodyPieces> {
    if (!isLong(pieces)) {
      const completion = orProviderFailed(() => parseReply(decodeText(joinPieces(pieces))) as ChatCompletion);
      return [Buffer.from(JSON.stringify(translateReply(completion, options)))];
    }
    const { bytes } = await this.#ask("message", {
      kind: "message",
      pieces: copyForTransfer(pieces),
      options,
    });
    return [bytes];
  }

  /** Translates a completion into a response. @throws Refusal 502 for anything but a completion. */
  async writeResponse(pieces: BodyPieces, reply: ResponseReply, nowS: number): Promise<WrittenResponse> {
    if (isLong(pieces)) {
      const question = { kind: "response", pieces: copyForTransfer(pieces), reply, nowS } as const;
      const { bytes } = await this.#ask("response", question);
      return { response: JSON.parse(decodeText(bytes)), bytes };
    }
    const completion = orProviderFailed(() => parseReply(decodeText(joinPieces(pieces))) as ChatCompletion);
    return { response: writeResponse(completion, reply, () => nowS), bytes: null };
  }

  /** Translates a message into a chat completion, as JSON; anything else stays as it is. */
  async writeChatReply(pieces: BodyPieces, reply: ChatReply): Promise<BodyPieces> {
    if (!isLong(pieces)) return [toChatReply(joinPieces(pieces) as Uint8Array<ArrayBuffer>, reply)];
    const { bytes } = await this.#ask("chat", { kind: "chat", pieces: copyForTransfer(pieces), reply });
    return [bytes];
  }

  /** The events that say what a whole completion says. @throws Refusal 502 for anything but a completion. */
  async writeEvents(pieces: BodyPieces, protocol: ProviderProtocol): Promise<Uint8Array<ArrayBuffer>> {
    if (isLong(pieces))
      return (await this.#ask("events", { kind: "events", protocol, pieces: copyForTransfer(pieces) })).bytes;
    const bytes = joinPieces(pieces);
    return orProviderFailed(() =>
      new TextEncoder().encode(writeReplyEvents(parseReply(decodeText(bytes)), protocol)),
    );
  }

  /** The long events among those of a stream; null where there are none. */
  readLongEvents(events: readonly Buffer[], protocol: ProviderProtocol): Promise<LongEvents> | null {
    const long = events.filter(({ byteLength }) => byteLength > SYNCHRONOUS_BYTES);
    return long.length > 0 ? this.#readEvents(long, protocol) : null;
  }

  async #readEvents(events: readonly Buffer[], protocol: ProviderProtocol): Promise<LongEvents> {
    const parsed = new Map<Buffer, ParsedEvent>();
    for (const event of events) {
      const answer = this.#ask("event", { kind: "event", protocol, pieces: [new Uint8Array(event)] });
      parsed.set(event, (await answer.catch(() => null))?.parsed ?? { kind: "unreadable" });
    }
    return parsed;
  }

  /**
   * The chunk of an event, null without data; of a long one only the parts that a Message has. @throws Error for
   * invalid JSON.
   */
  readChunk(event: Buffer): Chunk | "[DONE]" | null | Promise<Chunk> {
    if (event.byteLength > SYNCHRONOUS_BYTES) return this.#readLongChunk(event);
    const data = readEventData(event)?.trim();
    if (!data) return null;
    return data === "[DONE]" ? data : JSON.parse(data);
  }

  async #readLongChunk(event: Buffer): Promise<Chunk> {
    const { chunk } = await this.#ask("chunk", { kind: "chunk", pieces: [new Uint8Array(event)] });
    return chunk;
  }

  async #readLongCompletion(
    pieces: BodyPieces,
    endpoint: ReplyKind,
    form: EmbeddingForm | undefined,
  ): Promise<ReadCompletion> {
    const question = { kind: "completion", endpoint, form, pieces: copyForTransfer(pieces) } as const;
    const { parsed, places, bytes } = await this.#ask("completion", question);
    return {
      ...parsed,
      bytes,
      withOthers: (others) => replaceValues(bytes, places, endpoint, others),
    };
  }

  /** @throws Refusal 502 for an unreadable reply. */
  async #ask<Kind extends ReplyQuestion["kind"]>(
    kind: Kind,
    question: ReplyQuestion,
  ): Promise<Extract<ReplyAnswer, { kind: Kind }>> {
    const answer = await this.#thread.ask(question);
    if (answer.kind === "unreadable") throw providerAnsweredOddly(answer.reason);
    return answer as Extract<ReplyAnswer, { kind: Kind }>;
  }
}

class ShortCompletion implements ReadCompletion {
  constructor(
    readonly bytes: Uint8Array<ArrayBuffer>,
    private readonly parsed: ParsedCompletion,
    private readonly text: string,
    private readonly endpoint: ReplyKind,
  ) {}

  get reported() {
    return this.parsed.reported;
  }

  get model() {
    return this.parsed.model;
  }

  get size() {
    return this.parsed.size;
  }

  withOthers(others: OtherValues): BodyPieces {
    return replaceValues(Buffer.from(this.text), findPlaces(this.text), this.endpoint, others);
  }
}

function isLong(pieces: BodyPieces): boolean {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) > SYNCHRONOUS_BYTES;
}

/**
 * The pieces for the thread, with ownership of their memory. Short ones may share their buffers, so they are copied.
 */
function copyForTransfer(pieces: BodyPieces): Uint8Array<ArrayBuffer>[] {
  return pieces.map((piece) =>
    piece.byteLength > SYNCHRONOUS_BYTES ? (piece as Uint8Array<ArrayBuffer>) : new Uint8Array(piece),
  );
}

/** @throws Refusal 502 for a text of another form. */
function orProviderFailed<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw providerAnsweredOddly(error);
  }
}

function toUsageObject(endpoint: ReplyKind, usage: TokenUsage): object {
  if (endpoint === "messages") return toAnthropicUsage(toChatUsageObject(usage));
  if (endpoint === "responses") return toResponseUsage(toChatUsageObject(usage)) ?? {};
  return endpoint === "chat/completions" ? toChatUsageObject(usage) : toInputUsageObject(usage);
}

/** What a usage in Anthropic's form says beside its tokens, such as its tier, stays. */
function readPlace(bytes: Uint8Array, { start, end }: ValuePlace): object {
  const usage: unknown = JSON.parse(decodeText(bytes.subarray(start, end)));
  return isObject(usage) ? usage : {};
}

function replaceValues(
  bytes: Uint8Array,
  places: CompletionPlaces,
  endpoint: ReplyKind,
  { usage, model, own }: OtherValues,
): BodyPieces {
  const edits: (ValuePlace & { readonly text: string })[] = [];
  if (usage) {
    const charged = toUsageObject(endpoint, usage);
    const isOwnForm = endpoint === "messages" || endpoint === "responses";
    const keeps = isOwnForm && !places.usage.isMissing;
    const text = JSON.stringify(keeps ? { ...readPlace(bytes, places.usage), ...charged } : charged);
    edits.push({ ...places.usage, text: places.usage.isMissing ? `,"usage":${text}` : text });
  }
  for (const [name, text] of Object.entries(own ?? {})) {
    const place = places.own[name];
    if (place) edits.push({ ...place, text });
    else edits.push({ start: places.end, end: places.end, text: `,${JSON.stringify(name)}:${text}` });
  }
  if (model !== null && places.model) edits.push({ ...places.model, text: JSON.stringify(model) });
  const pieces: Uint8Array[] = [];
  let copiedUntil = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    pieces.push(bytes.subarray(copiedUntil, start), Buffer.from(text));
    copiedUntil = end;
  }
  return [...pieces, bytes.subarray(copiedUntil)];
}

type Pieces = readonly Uint8Array<ArrayBuffer>[];

/** Questions about a provider's reply for the thread. */
export type ReplyQuestion =
  | { kind: "completion"; endpoint: ReplyKind; form: EmbeddingForm | undefined; pieces: Pieces }
  | { kind: "message"; pieces: Pieces; options: MessageReply }
  | { kind: "response"; pieces: Pieces; reply: ResponseReply; nowS: number }
  | { kind: "chat"; pieces: Pieces; reply: ChatReply }
  | { kind: "events"; protocol: ProviderProtocol; pieces: Pieces }
  | { kind: "event"; protocol: ProviderProtocol; pieces: Pieces }
  | { kind: "chunk"; pieces: Pieces };

/** The answers, in the order of the questions; "unreadable" is possible for each. */
export type ReplyAnswer =
  | { kind: "completion"; parsed: ParsedCompletion; places: CompletionPlaces; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "message"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "response"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "chat"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "events"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "event"; parsed: ParsedEvent }
  | { kind: "chunk"; chunk: Chunk }
  | { kind: "unreadable"; reason: string };
