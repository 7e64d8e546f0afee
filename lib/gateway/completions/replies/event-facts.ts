import { readEventData } from "../../http/event-splitter";
import { type ProviderUsage, readUsage } from "../usage/read-usage";
import { isFailure } from "./is-failure";
import { measureOutput, type OutputSize } from "./measure-output";

/** The facts that the gateway reads from a stream event. */
export type EventFacts =
  | { readonly kind: "comment" | "done" | "unreadable" }
  | {
      /** A failure may be told in an event of its own, or in a chunk with choices. */
      readonly kind: "chunk" | "error";
      readonly size: OutputSize;
      /** Whether it reports usage, and which; null for an implausible one. */
      readonly hasUsage: boolean;
      readonly reported: ProviderUsage | null;
      /** Whether it has an empty list of choices. */
      readonly isWithoutChoices: boolean;
    };

/** @param parse throws for invalid JSON. */
export function readEventFacts(event: Buffer, parse: (text: string) => unknown): EventFacts {
  const data = readEventData(event)?.trim();
  // A comment, or an event without data.
  if (!data) return { kind: "comment" };
  if (data === "[DONE]") return { kind: "done" };
  let chunk: { choices?: unknown; usage?: unknown; error?: unknown };
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
    reported: readUsage(usage),
    isWithoutChoices: Array.isArray(choices) && choices.length === 0,
  };
}
