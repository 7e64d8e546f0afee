import { isObject } from "@/lib/contract/json-value";
import { withoutByteOrderMark } from "../../http/event-splitter";
import { assembleReply } from "../bodies/assemble-reply";

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
  const choices = Array.isArray(assembled.choices) ? assembled.choices : [];
  const isFinished = choices.every((choice) => isObject(choice) && Boolean(choice.finish_reason));
  if (!isFinished && !Buffer.from(whole).includes("[DONE]"))
    throw new Error("Its stream ended without a finish reason and without [DONE]");
  return new TextEncoder().encode(JSON.stringify(assembled));
}

/** The events of a stream that says what a whole completion says, for clients that asked for a stream. */
export function writeReplyEvents(completion: Readonly<Record<string, unknown>>): string {
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

/** In a stream each tool call has its place. */
function withCallPlaces(message: Record<string, unknown>): Record<string, unknown> {
  const { tool_calls } = message;
  if (!Array.isArray(tool_calls)) return message;
  return { ...message, tool_calls: tool_calls.filter(isObject).map((call, index) => ({ index, ...call })) };
}
