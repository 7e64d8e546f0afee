import type { Loss } from "./unsaved";

export type FormWords = {
  /** What is made or changed: "the new key", "the role “Auditor”". */
  what: string;
  /** Changes something that is there already; makes something otherwise. */
  edits: boolean;
  /** By the names of the fields; those below a field begin with its name and a dot. */
  labels: Readonly<Record<string, string | undefined>>;
};

/** What leaving a form would lose, given how much of each of its fields has changed; null for nothing. */
export function describeLoss(
  { what, edits, labels }: FormWords,
  changes: Record<string, number>,
): Loss | null {
  const count = Object.values(changes).reduce((sum, each) => sum + each, 0);
  if (count === 0) return null;
  const noun = count === 1 ? "change" : "changes";
  const fields = listOf(Object.keys(changes).flatMap((name) => labelsOf(labels, name))) || "something";
  return edits
    ? { title: `Discard ${count} unsaved ${noun}?`, text: `You changed ${fields} of ${what} without saving.` }
    : { title: `Discard ${what}?`, text: `You entered ${fields} without saving.` };
}

/** The label of a field, or those of the fields below it. */
function labelsOf(labels: FormWords["labels"], name: string): string[] {
  return Object.entries(labels).flatMap(([path, label]) =>
    label && (path === name || path.startsWith(`${name}.`)) ? [label] : [],
  );
}

function listOf(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
