import { isObject } from "@/lib/contract/json-value";
import { isComment, readBareText, readEventData, readEventName } from "../../http/event-splitter";
import { readUsage } from "../usage/read-usage";
import { measureBlocks, NO_OUTPUT, type OutputSize } from "../usage/resolve-usage";
import { hasUnicodeEscape, type ParsedEvent, type PlainDelta } from "./stream-event";

/** How the event of a piece of text, of thinking or of a tool's input begins, up to the piece. */
const DELTAS = ["text_delta", "thinking_delta", "input_json_delta"].map((type) =>
  Buffer.from(
    `"delta":{"type":"${type}","${type === "input_json_delta" ? "partial_json" : type.slice(0, -6)}":"`,
  ),
);
const KEY_BYTES = '"delta":'.length;
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x5c, 0x7b, 0x7d];
const [LF, CR, SPACE] = [0x0a, 0x0d, 0x20];
const [LETTER_D, LETTER_E] = [0x64, 0x65];

/**
 * Finds the piece in a `content_block_delta` without parsing, if the event has no other object. Null for any other
 * event, and for a piece with `\u` escapes.
 */
export function findPlainPiece(event: Buffer): PlainDelta | null {
  if (event[0] !== LETTER_E && event[0] !== LETTER_D) return null;
  const first = event.indexOf(OPEN_BRACE);
  const brace = event.indexOf(OPEN_BRACE, first + 1);
  for (const delta of DELTAS) {
    const at = event.indexOf(delta);
    if (at < 0) continue;
    if (brace !== at + KEY_BYTES) return null;
    const start = at + delta.length;
    const end = findTextEnd(event, start);
    if (event.indexOf(OPEN_BRACE, end) >= 0 || !endsInBraces(event, end + 1)) return null;
    return hasUnicodeEscape(event, event.indexOf(BACKSLASH, start), end) ? null : { start, end };
  }
  return null;
}

function findTextEnd(event: Buffer, start: number): number {
  for (let end = event.indexOf(QUOTE, start); end >= 0; end = event.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (event[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return event.length;
}

/** Whether nothing but the ends of both objects follows. Anthropic adds blanks, which hide the length of a piece. */
function endsInBraces(event: Buffer, from: number): boolean {
  let braces = 0;
  for (let at = from; at < event.length; at++) {
    const byte = event[at];
    if (byte === CLOSE_BRACE) braces++;
    else if (byte !== SPACE && byte !== LF && byte !== CR) return false;
  }
  return braces === 2;
}

/** Parses an event of Anthropic's streams. One of an unknown type is passed on, as its clients expect. */
export function parseMessageEvent(event: Buffer, parse: (text: string) => unknown): ParsedEvent {
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
  if (isErrorEvent || value.type === "error" || value.error) return failure;
  return readByType(value);
}

function readByType({ type, message, content_block, delta, ...rest }: Record<string, unknown>): ParsedEvent {
  switch (type) {
    case "message_start": {
      const { content, usage: begun } = isObject(message) ? message : {};
      // Its output tokens are those so far, and not the answer's.
      const usage = isObject(begun) ? { ...begun, output_tokens: undefined } : begun;
      return chunk(measureBlocks(content), { usage });
    }
    case "content_block_start":
      return chunk(measureBlocks([content_block]));
    case "content_block_delta":
      return chunk(measureBlocks([delta]));
    case "message_delta": {
      const isFinished = isObject(delta) && Boolean(delta.stop_reason);
      return chunk(NO_OUTPUT, { usage: rest.usage, isFinished, isLast: true });
    }
    case "message_stop":
      return { kind: "done" };
    default:
      return typeof type === "string" ? { kind: "comment" } : { kind: "skipped" };
  }
}

/** Whatever may end the answer waits for its charge. */
function chunk(
  size: OutputSize,
  {
    usage,
    isFinished = false,
    isLast = false,
  }: { usage?: unknown; isFinished?: boolean; isLast?: boolean } = {},
): ParsedEvent {
  const reported = isObject(usage) ? readUsage(usage) : null;
  return { kind: "chunk", size, choices: [{ index: 0, isFinished }], reported, isUsageAlone: isLast };
}
