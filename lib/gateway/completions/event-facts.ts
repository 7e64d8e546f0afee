import type { ReportedUsage } from "@/lib/money/charge";
import { dataOf } from "../http/event-splitter";
import { deltaBytes } from "./delta-bytes";
import { readUsage } from "./read-usage";

/** What the gateway reads from an event of a completion stream. */
export type EventFacts =
  | { readonly kind: "comment" | "done" | "error" | "unreadable" }
  | {
      readonly kind: "chunk";
      /** The bytes of text that it brings. */
      readonly bytes: number;
      /** Whether it says a usage, and which; null for one that can't be believed. */
      readonly hasUsage: boolean;
      readonly reported: ReportedUsage | null;
      /** Whether it has a list of choices, and nothing in it. */
      readonly isWithoutChoices: boolean;
    };

/** @param parse throws for invalid JSON. */
export function eventFactsOf(event: Buffer, parse: (text: string) => unknown): EventFacts {
  const data = dataOf(event)?.trim();
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
    bytes: deltaBytes(choices),
    hasUsage: Boolean(usage),
    reported: readUsage(usage),
    isWithoutChoices: Array.isArray(choices) && choices.length === 0,
  };
}
