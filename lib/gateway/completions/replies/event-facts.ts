import type { ReportedUsage } from "@/lib/money/charge";
import { readEventData } from "../../http/event-splitter";
import { readUsage } from "../usage/read-usage";
import { measureDelta } from "./delta-bytes";

/** The facts that the gateway reads from a stream event. */
export type EventFacts =
  | { readonly kind: "comment" | "done" | "error" | "unreadable" }
  | {
      readonly kind: "chunk";
      /** The size of its text. */
      readonly bytes: number;
      /** Whether it reports usage, and which; null for an implausible one. */
      readonly hasUsage: boolean;
      readonly reported: ReportedUsage | null;
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
  const { choices, error, usage } = chunk;
  if (error && !Array.isArray(choices)) return { kind: "error" };
  return {
    kind: "chunk",
    bytes: measureDelta(choices),
    hasUsage: Boolean(usage),
    reported: readUsage(usage),
    isWithoutChoices: Array.isArray(choices) && choices.length === 0,
  };
}
