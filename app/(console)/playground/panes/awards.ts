import type { Pane } from "@/components/playground/panes/pane";
import type { VariableValues } from "@/lib/contract/calls/prompt-variables";
import { groupByQuestion } from "./answers-to-same";

export type Award = "Cheapest" | "Fastest" | "Longest";

/** Compares the panes' last answers once two or more have answered the same. A tie gives no award. */
export function computeAwards(
  panes: readonly Pane[],
  values: VariableValues,
): ReadonlyMap<string, readonly Award[]> {
  const awards = new Map<string, Award[]>();
  if (groupByQuestion(panes, values).length > 1) return awards;
  const ended = panes.flatMap(({ id, messages }) => {
    const call = messages.at(-1)?.call;
    return call?.state === "finished" ? [{ id, call }] : [];
  });
  if (ended.length < 2) return awards;
  const give = (award: Award, measure: (one: (typeof ended)[number]) => number | null) => {
    const measured = ended.map((one) => ({ id: one.id, value: measure(one) }));
    if (measured.some(({ value }) => value === null)) return;
    const [first, second] = measured.toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0));
    if (!first || first.value === second?.value) return;
    awards.set(first.id, [...(awards.get(first.id) ?? []), award]);
  };
  give("Cheapest", ({ call }) => (call.charge ? Number(call.charge.amount) : null));
  give("Fastest", ({ call }) => call.totalMs);
  give("Longest", ({ call }) => (call.usage ? -call.usage.completionTokens : null));
  return awards;
}
