import { findLastAnswer, type Pane } from "@/components/playground/panes/pane";
import { fillMessage, readValues } from "@/components/playground/variables/fill-workbench";
import type { Workbench } from "@/components/playground/workbench";
import type { VariableValues } from "@/lib/contract/calls/prompt-variables";

/** What a pane's last answer was asked for, by what people wrote. Equal for panes whose answers can be compared. */
function describeQuestion({ messages }: Pane, values: VariableValues): string {
  const answered = messages.findLastIndex(({ role }) => role === "assistant");
  const written = messages.slice(0, answered).filter(({ call, role }) => !call && role === "user");
  return JSON.stringify(
    written.map((one) => [
      fillMessage(one, values),
      one.attachments?.map(({ name, data }) => [name, data.length]),
    ]),
  );
}

/** Returns the panes with an answer, in groups that answered the same. */
export function groupByQuestion(
  panes: readonly Pane[],
  values: VariableValues,
): readonly (readonly Pane[])[] {
  const groups = new Map<string, Pane[]>();
  for (const pane of panes) {
    if (findLastAnswer(pane) === "") continue;
    const question = describeQuestion(pane, values);
    const group = groups.get(question);
    if (group) group.push(pane);
    else groups.set(question, [pane]);
  }
  return [...groups.values()];
}

/** Returns the panes that answered what most panes did, and how many answered something else; null for under two. */
export function findComparable(workbench: Workbench): { panes: readonly Pane[]; otherCount: number } | null {
  const groups = groupByQuestion(workbench.panes, readValues(workbench));
  const [panes = [], ...others] = groups.toSorted((one, other) => other.length - one.length);
  if (panes.length < 2) return null;
  return { panes, otherCount: others.reduce((sum, group) => sum + group.length, 0) };
}
