import { isObject } from "@/lib/contract/json-value";
import { isComment, readBareText, readEventData, readEventName } from "../../http/event-splitter";
import { type ReportedFigures, readUsage } from "../usage/read-usage";
import { NO_OUTPUT, type OutputSize } from "./output-size";
import type { ParsedEvent } from "./stream-event";

type Fields = Readonly<Record<string, unknown>>;

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

/** The usage of a response, with the calls of tools that its provider ran; null where it reports none. */
export function readResponseUsage({ usage, output, service_tier: tier }: Fields): ReportedFigures | null {
  if (!isObject(usage)) return null;
  const figures = readUsage(usage);
  const toolCalls = countHostedCalls(output);
  return {
    ...figures,
    shown: { promptTokens: figures.promptTokens, completionTokens: figures.completionTokens },
    ...(toolCalls && { toolCalls }),
    ...(typeof tier === "string" && { tier }),
  };
}

/** Calls of tools that clients run. */
const clientsCalls = new Set(["function_call", "custom_tool_call", "local_shell_call", "shell_call"]).add(
  "apply_patch_call",
);

function countHostedCalls(output: unknown): Record<string, number> | null {
  const calls: Record<string, number> = {};
  for (const item of Array.isArray(output) ? output : []) {
    const type = isObject(item) ? String(item.type) : "";
    if (!type.endsWith("_call") || clientsCalls.has(type)) continue;
    const name = type.slice(0, -"_call".length);
    calls[name] = (calls[name] ?? 0) + 1;
  }
  return Object.keys(calls).length > 0 ? calls : null;
}

/** The size of what a model wrote in the items of a response. */
export function measureItems(output: readonly Fields[]): OutputSize {
  const textBytes = output.reduce<number>((sum, { content, summary, arguments: json, input }) => {
    const parts = [content, summary].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
    const texts = [...parts.map(({ text, refusal }) => text ?? refusal), json, input];
    return texts.reduce<number>(
      (bytes, text) => bytes + (typeof text === "string" ? Buffer.byteLength(text) : 0),
      sum,
    );
  }, 0);
  return { ...NO_OUTPUT, textBytes };
}
