import { isObject } from "@/lib/contract/json-value";
import { isComment, readBareText, readEventData, readEventName } from "../../http/event-splitter";
import { readResponseUsage } from "../usage/read-usage";
import { NO_OUTPUT, type OutputSize } from "../usage/resolve-usage";
import type { ParsedEvent } from "./stream-event";

/** The events that end a response. */
const ENDS = /^response\.(?:completed|incomplete)$/;
const FAILS = /^(?:error|response\.failed)$/;

/** Parses an event of a stream of responses. One of an unknown type is passed on. */
export function parseResponseEvent(event: Buffer, parse: (text: string) => unknown): ParsedEvent {
  const failure = { kind: "error", size: NO_OUTPUT } as const;
  const isErrorEvent = readEventName(event) === "error";
  const data = readEventData(event)?.trim() || readBareText(event);
  if (!data) return isErrorEvent ? failure : { kind: isComment(event) ? "comment" : "skipped" };
  if (data.startsWith("[DONE]")) return { kind: "done" };
  let value: unknown;
  try {
    value = parse(data);
  } catch (error) {
    if (isErrorEvent) return failure;
    const isLost = !(error instanceof SyntaxError) || data.startsWith('{"type"');
    return { kind: isLost ? "unreadable" : "skipped" };
  }
  if (!isObject(value)) return isErrorEvent ? failure : { kind: "skipped" };
  const { type, response, delta } = value;
  if (isErrorEvent || typeof type !== "string")
    return isErrorEvent || value.error ? failure : { kind: "skipped" };
  if (FAILS.test(type)) return failure;
  const isEnd = ENDS.test(type);
  const reported = isEnd && isObject(response) ? readResponseUsage(response) : null;
  const size = type.endsWith(".delta") ? measureDelta(delta) : NO_OUTPUT;
  return { kind: "chunk", size, choices: [{ index: 0, isFinished: isEnd }], reported, isUsageAlone: isEnd };
}

function measureDelta(delta: unknown): OutputSize {
  return typeof delta === "string" && delta !== ""
    ? { ...NO_OUTPUT, textBytes: Buffer.byteLength(delta) }
    : NO_OUTPUT;
}
