import { readEventData } from "../../http/event-splitter";
import { findUsage, type ReportedFigures } from "../usage/read-usage";
import { isFailure } from "./is-failure";
import { measureOutput, type OutputSize } from "./measure-output";

/** The facts that the gateway reads from a stream event. */
export type EventFacts =
  | { readonly kind: "comment" | "done" | "unreadable" }
  | {
      /** A failure may be told in an event of its own, or in a chunk with choices. */
      readonly kind: "chunk" | "error";
      readonly size: OutputSize;
      /** Whether it has a usage of its own, and the figures that it reports anywhere. */
      readonly hasUsage: boolean;
      readonly reported: ReportedFigures | null;
      /** Whether it has an empty list of choices. */
      readonly isWithoutChoices: boolean;
    };

/** @param parse throws for invalid JSON. */
export function readEventFacts(event: Buffer, parse: (text: string) => unknown): EventFacts {
  const data = readEventData(event)?.trim();
  // A comment, or an event without data.
  if (!data) return { kind: "comment" };
  if (data === "[DONE]") return { kind: "done" };
  let chunk: Record<string, unknown>;
  try {
    chunk = Object(parse(data));
  } catch {
    return { kind: "unreadable" };
  }
  const { choices, usage } = chunk;
  return {
    kind: isFailure(chunk) ? "error" : "chunk",
    size: measureOutput(choices, "delta"),
    hasUsage: Boolean(usage),
    reported: findUsage(chunk),
    isWithoutChoices: Array.isArray(choices) && choices.length === 0,
  };
}
