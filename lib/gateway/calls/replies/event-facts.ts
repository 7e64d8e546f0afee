import { isObject } from "@/lib/contract/json-value";
import { isComment, readBareText, readEventData, readEventName } from "../../http/event-splitter";
import { findUsage, type ReportedFigures } from "../usage/read-usage";
import { isFailure } from "./is-failure";
import { measureOutput, NO_OUTPUT, type OutputSize } from "./measure-output";
import type { ValuePlace } from "./model-names";

/** A choice of a chunk, and whether it has its finish reason. */
interface ChoiceState {
  readonly index: number;
  readonly isFinished: boolean;
}

/**
 * The facts that the gateway reads from a stream event. A `skipped` event is no part of the answer. An `unreadable` one
 * is a part that is lost: a chunk that is cut off, or one that is too expensive to read.
 */
export type EventFacts =
  | { readonly kind: "comment" | "done" | "skipped" | "unreadable" }
  /** A failure may be told in an event of its own, or in a chunk with choices. */
  | { readonly kind: "error"; readonly size: OutputSize }
  | {
      readonly kind: "chunk";
      readonly size: OutputSize;
      readonly choices: readonly ChoiceState[];
      /** The figures that it reports anywhere. */
      readonly reported: ReportedFigures | null;
      /** Whether it has a usage and nothing else. */
      readonly isUsageAlone: boolean;
      /** Where the model's name stands in a long event. */
      readonly modelPlace?: ValuePlace | null;
    };

/** @param parse throws for invalid JSON. */
export function readEventFacts(event: Buffer, parse: (text: string) => unknown): EventFacts {
  const isErrorEvent = readEventName(event) === "error";
  const failure = { kind: "error", size: NO_OUTPUT } as const;
  const data = readEventData(event)?.trim() || readBareText(event);
  if (!data) return isErrorEvent ? failure : { kind: isComment(event) ? "comment" : "skipped" };
  if (data.startsWith("[DONE]")) return { kind: "done" };
  let value: unknown;
  try {
    value = parse(data);
  } catch (error) {
    if (isErrorEvent) return failure;
    const isLost = !(error instanceof SyntaxError) || (data.startsWith("{") && data.includes('"choices"'));
    return { kind: isLost ? "unreadable" : "skipped" };
  }
  const told = Array.isArray(value) ? value[0] : value;
  if (!isObject(told)) return isErrorEvent ? failure : { kind: "skipped" };
  const size = measureOutput(told.choices, "delta");
  if (isErrorEvent || isFailure(told)) return { kind: "error", size };
  return told === value ? readChunkFacts(told, size) : { kind: "skipped" };
}

/** An object without choices and usage is no chunk: clients expect a list of choices in each. */
function readChunkFacts(chunk: Record<string, unknown>, size: OutputSize): EventFacts {
  const { choices } = chunk;
  const reported = findUsage(chunk);
  if (!Array.isArray(choices) && !reported) return { kind: "skipped" };
  if (Array.isArray(choices) && !choices.every(isObject)) return { kind: "skipped" };
  return {
    kind: "chunk",
    size,
    choices: Array.isArray(choices) ? choices.map(readChoiceState) : [],
    reported,
    isUsageAlone: Array.isArray(choices) ? choices.length === 0 && Boolean(chunk.usage) : true,
  };
}

/** Some servers leave out the index of an only choice, and some write an empty reason until there is one. */
function readChoiceState(choice: unknown): ChoiceState {
  const { index, finish_reason } = Object(choice) as { index?: unknown; finish_reason?: unknown };
  return { index: typeof index === "number" ? index : 0, isFinished: Boolean(finish_reason) };
}
