import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { isObject } from "@/lib/contract/json-value";
import type { EmbeddingForm } from "@/lib/contract/operations/calls/embeddings";
import { parseBounded, scanObject, withoutByteOrderMark } from "../../http/json";
import type { Endpoint } from "../../providers/provider-client";
import { writeEvent } from "../anthropic/message-blocks";
import { type ChatReply, writeChatReply } from "../anthropic/write-chat-reply";
import { assembleReply } from "../bodies/assemble-reply";
import { writeResponseEvents } from "../responses/follow-response";
import { findUsage, type ReportedFigures, readResponseUsage, readUsage } from "../usage/read-usage";
import {
  measureBlocks,
  measureItems,
  measureOutput,
  NO_OUTPUT,
  type OutputSize,
} from "../usage/resolve-usage";

/** What the gateway reads from a completion. */
export interface ParsedCompletion {
  /** The reported usage; null where there is none. */
  readonly reported: ReportedFigures | null;
  /** The provider's name of the model; undefined where it tells none. */
  readonly model: unknown;
  /** The generated output, to check or estimate the usage. */
  readonly size: OutputSize;
}

/** Where the parts stand that the gateway may write, in bytes. A missing usage goes after the last member. */
export interface CompletionPlaces {
  readonly usage: ValuePlace & { readonly isMissing: boolean };
  readonly model: ValuePlace | null;
  /** What a response says of the gateway's own, as far as it has these. */
  readonly own: Readonly<Record<string, ValuePlace>>;
  /** Where a missing one goes. */
  readonly end: number;
}

const ownNames = ["id", "store", "prompt", "previous_response_id", "conversation"];

/** What a whole reply answers: a call at an endpoint, or one of chat in another protocol. */
export type ReplyKind = Endpoint | "messages" | "responses";

const FAILURE = "It sent an error instead of an answer";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const decodeText = (bytes: Uint8Array) => decoder.decode(bytes);

/** Reads a parsed reply. @throws Error for a reply of another form. */
export function parseCompletion(endpoint: ReplyKind, reply: unknown): ParsedCompletion {
  if (endpoint === "messages") return parseMessage(reply);
  if (endpoint === "responses") return parseResponse(reply);
  if (endpoint === "embeddings") return parseListReply(reply, "data");
  return endpoint === "moderations" ? parseListReply(reply, "results") : parseChatCompletion(reply);
}

/** @throws Error for anything but an object with choices, and for one that tells a failure. */
function parseChatCompletion(completion: unknown): ParsedCompletion {
  const reply = (completion ?? {}) as Record<string, unknown>;
  if (isFailure(reply)) throw new Error(FAILURE);
  const { choices } = reply;
  const reported = findUsage(reply);
  if (!Array.isArray(choices) || (choices.length === 0 && !reported))
    throw new Error("The provider's reply has no choices");
  // Clients read the fields of each choice.
  if (!choices.every(isObject)) throw new Error("A choice of the provider's reply is no object");
  return { reported, model: reply.model, size: measureOutput(choices, "message") };
}

/** @throws Error for anything but a message with its content. */
function parseMessage(message: unknown): ParsedCompletion {
  const reply = (message ?? {}) as Record<string, unknown>;
  if (isFailure(reply)) throw new Error(FAILURE);
  const { content, usage, model } = reply;
  if (!Array.isArray(content) || !content.every(isObject))
    throw new Error("The provider's reply has no list of blocks");
  const figures = isObject(usage) ? readUsage(usage) : null;
  const reported = figures && { ...figures, shown: figures };
  return { reported, model, size: measureBlocks(content) };
}

/** @throws Error for anything but a response with its output that didn't fail. */
function parseResponse(response: unknown): ParsedCompletion {
  const reply = (response ?? {}) as Record<string, unknown>;
  const { output, model, status } = reply;
  if (isFailure(reply) || status === "failed") throw new Error(FAILURE);
  if (!Array.isArray(output) || !output.every(isObject))
    throw new Error("The provider's reply has no list of items");
  return { reported: readResponseUsage(reply), model, size: measureItems(output) };
}

/**
 * Reads a reply with embeddings or moderations, which generate no tokens. @throws Error for anything but
 * an object with that list, and for an empty one, since every call has an input.
 */
function parseListReply(reply: unknown, list: "data" | "results"): ParsedCompletion {
  const members = (reply ?? {}) as Record<string, unknown>;
  if (isFailure(members)) throw new Error(FAILURE);
  const { [list]: items } = members;
  if (!Array.isArray(items) || items.length === 0) throw new Error(`The provider's reply has no ${list}`);
  const reported = findUsage(members);
  const input = reported && { ...reported, completionTokens: 0 };
  return { reported: input, model: members.model, size: NO_OUTPUT };
}

/** Where the parts stand that the gateway may write. Expects a text that `parseCompletion` accepts. */
export function findPlaces(text: string): CompletionPlaces {
  const { members } = scanObject(text);
  const usage = members.get("usage");
  const model = members.get("model");
  const last = [...members.values()].at(-1);
  const [start, end] = usage ? [usage.valueStart, usage.end] : [last?.end ?? 0, last?.end ?? 0];
  const measure = (offset: number) => measureBefore(text, offset);
  return {
    usage: { start: measure(start), end: measure(end), isMissing: !usage },
    end: measure(last?.end ?? 0),
    model: model ? { start: measure(model.valueStart), end: measure(model.end) } : null,
    own: Object.fromEntries(
      ownNames.flatMap((name) => {
        const own = members.get(name);
        return own ? [[name, { start: measure(own.valueStart), end: measure(own.end) }]] : [];
      }),
    ),
  };
}

function measureBefore(text: string, offset: number): number {
  return Buffer.byteLength(text.slice(0, offset));
}

/** A message as a chat completion. What is no message, such as an error, stays as it is, and is refused as that. */
export function toChatReply(bytes: Uint8Array<ArrayBuffer>, reply: ChatReply): Uint8Array<ArrayBuffer> {
  try {
    const message: unknown = parseBounded(decodeText(toWholeReply(bytes)));
    parseMessage(message);
    return new TextEncoder().encode(JSON.stringify(writeChatReply(message, reply)));
  } catch {
    return bytes;
  }
}

/** How a stream of events begins: with a comment or a field (WHATWG HTML, section 9.2.5). */
const EVENT_START = /^\s*(?::|(?:data|event|id|retry)(?::|[\r\n]))/;
const START_BYTES = 64;

/** Whether these are the first bytes of a stream of events, whatever its type says. */
export function beginsEvents(bytes: Uint8Array): boolean {
  const start = withoutByteOrderMark(bytes).subarray(0, START_BYTES);
  return EVENT_START.test(Buffer.from(start).toString("latin1"));
}

/**
 * A whole reply without its byte order mark. A stream in its place, which some servers send to every call, becomes the
 * reply that its events make up. @throws Error for a stream that ended too early.
 */
export function toWholeReply(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const whole = withoutByteOrderMark(bytes);
  if (!beginsEvents(whole)) return whole;
  const assembled = assembleReply(whole);
  if (assembled === null) return whole;
  if (assembled.type === "message") {
    if (!assembled.stop_reason) throw new Error("Its stream ended without a stop reason");
    return new TextEncoder().encode(JSON.stringify(assembled));
  }
  if (assembled.object === "response") return new TextEncoder().encode(JSON.stringify(assembled));
  const choices = Array.isArray(assembled.choices) ? assembled.choices : [];
  const isFinished = choices.every((choice) => isObject(choice) && Boolean(choice.finish_reason));
  if (!isFinished && !Buffer.from(whole).includes("[DONE]"))
    throw new Error("Its stream ended without a finish reason and without [DONE]");
  return new TextEncoder().encode(JSON.stringify(assembled));
}

/**
 * The events of a stream that says what a whole reply says, for clients that asked for a stream.
 * @throws Error for anything but a reply in this protocol.
 */
export function writeReplyEvents(reply: unknown, protocol: ProviderProtocol): string {
  parseCompletion(protocol === "chat" ? "chat/completions" : protocol, reply);
  const fields = reply as Record<string, unknown>;
  if (protocol === "responses") return writeResponseEvents(fields);
  return protocol === "messages" ? writeMessageEvents(fields) : writeChunks(fields);
}

function writeChunks(completion: Readonly<Record<string, unknown>>): string {
  const { choices, usage, ...head } = completion;
  const listed: unknown[] = Array.isArray(choices) ? choices : [];
  const chunks = listed.filter(isObject).flatMap(({ message, finish_reason, ...choice }, position) => {
    const index = typeof choice.index === "number" ? choice.index : position;
    const delta = isObject(message) ? withCallPlaces(message) : {};
    return [
      { choices: [{ ...choice, index, delta, finish_reason: null }] },
      { choices: [{ index, delta: {}, finish_reason: finish_reason ?? "stop" }] },
    ];
  });
  const events = usage === undefined ? chunks : [...chunks, { choices: [], usage }];
  const texts = events.map((event) => JSON.stringify({ ...head, object: "chat.completion.chunk", ...event }));
  return [...texts, "[DONE]"].map((text) => `data: ${text}\n\n`).join("");
}

function writeMessageEvents(message: Readonly<Record<string, unknown>>): string {
  const { content, stop_reason, stop_sequence = null, usage } = message;
  const begun = { ...message, content: [], stop_reason: null, stop_sequence: null };
  const blocks = (Array.isArray(content) ? content : []).filter(isObject).map((block, index) => {
    const { start, deltas } = splitBlock(block);
    const begin = writeEvent("content_block_start", { index, content_block: start });
    const pieces = deltas.map((delta) => writeEvent("content_block_delta", { index, delta }));
    return begin + pieces.join("") + writeEvent("content_block_stop", { index });
  });
  const delta = { stop_reason: stop_reason ?? "end_turn", stop_sequence };
  return [
    writeEvent("message_start", { message: begun }),
    ...blocks,
    writeEvent("message_delta", { delta, usage }),
    writeEvent("message_stop", {}),
  ].join("");
}

/** A block as its stream begins, and what fills it: clients read the content of these blocks in deltas alone. */
function splitBlock(block: Record<string, unknown>): { start: object; deltas: readonly object[] } {
  const { type, text, thinking, signature, input } = block;
  switch (type) {
    case "text":
      return { start: { ...block, text: "" }, deltas: [{ type: "text_delta", text }] };
    case "thinking":
      return {
        start: { ...block, thinking: "", signature: "" },
        deltas: [
          { type: "thinking_delta", thinking },
          { type: "signature_delta", signature },
        ],
      };
    case "tool_use":
    case "server_tool_use": {
      const delta = { type: "input_json_delta", partial_json: JSON.stringify(input ?? {}) };
      return { start: { ...block, input: {} }, deltas: [delta] };
    }
    default:
      return { start: block, deltas: [] };
  }
}

/** In a stream each tool call has its place. */
function withCallPlaces(message: Record<string, unknown>): Record<string, unknown> {
  const { tool_calls } = message;
  if (!Array.isArray(tool_calls)) return message;
  return { ...message, tool_calls: tool_calls.filter(isObject).map((call, index) => ({ index, ...call })) };
}

const FLOAT_BYTES = 4;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Writes the vectors of a reply in this form. @returns whether any had another one. */
export function convertEmbeddings(reply: unknown, form: EmbeddingForm): boolean {
  if (!isObject(reply) || !Array.isArray(reply.data)) return false;
  let isConverted = false;
  for (const item of reply.data) {
    if (!isObject(item)) continue;
    const converted = form === "base64" ? packNumbers(item.embedding) : unpackNumbers(item.embedding);
    if (converted === null) continue;
    item.embedding = converted;
    isConverted = true;
  }
  return isConverted;
}

/** Null for anything but a list of numbers. */
function packNumbers(embedding: unknown): string | null {
  if (!Array.isArray(embedding) || !embedding.every((number) => typeof number === "number")) return null;
  const bytes = Buffer.alloc(embedding.length * FLOAT_BYTES);
  for (const [index, number] of embedding.entries()) bytes.writeFloatLE(number, index * FLOAT_BYTES);
  return bytes.toString("base64");
}

/** Null for anything but base64 of whole numbers of floats. */
function unpackNumbers(embedding: unknown): number[] | null {
  if (typeof embedding !== "string" || !BASE64.test(embedding)) return null;
  const bytes = Buffer.from(embedding, "base64");
  if (bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0) return null;
  return Array.from({ length: bytes.length / FLOAT_BYTES }, (_, index) =>
    bytes.readFloatLE(index * FLOAT_BYTES),
  );
}

interface Reply {
  readonly error?: unknown;
  readonly errors?: unknown;
  readonly object?: unknown;
  readonly type?: unknown;
  readonly choices?: unknown;
}

/**
 * Whether a completion or a chunk tells that its provider failed: with an error, beside choices or without, as an error
 * itself, as vLLM writes it, or with a choice that ended in one, as OpenRouter writes it.
 */
export function isFailure({ error, errors, object, type, choices }: Reply): boolean {
  if (error || object === "error" || type === "error") return true;
  const hasErrors = Array.isArray(errors) ? errors.length > 0 : Boolean(errors);
  return hasErrors || (Array.isArray(choices) && choices.some(endedInError));
}

function endedInError(
  choice: { readonly finish_reason?: unknown; readonly error?: unknown } | null,
): boolean {
  return choice?.finish_reason === "error" || Boolean(choice?.error);
}

/** Where the value of a member stands, in bytes. */
export interface ValuePlace {
  readonly start: number;
  readonly end: number;
}
