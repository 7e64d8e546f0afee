import type { UnsavedWarning } from "../dialog/unsaved";

export type FormWords = {
  /** The object that the form makes or changes: "the new key", "the role “Auditor”". */
  what: string;
  /** True if the form changes an existing object, false if it makes a new one. */
  isEdit: boolean;
  /** Labels by field name. Nested fields have dotted names. */
  labels: Readonly<Record<string, string | undefined>>;
};

/** Describes what leaving the form would lose; null if nothing. `changes` has the number of changes per field. */
export function describeUnsaved(
  { what, isEdit, labels }: FormWords,
  changes: Record<string, number>,
): UnsavedWarning | null {
  const count = Object.values(changes).reduce((sum, each) => sum + each, 0);
  if (count === 0) return null;
  const noun = count === 1 ? "change" : "changes";
  const fields = joinWords(Object.keys(changes).flatMap((name) => findLabels(labels, name))) || "something";
  return isEdit
    ? { title: `Discard ${count} unsaved ${noun}?`, text: `You changed ${fields} of ${what} without saving.` }
    : { title: `Discard ${what}?`, text: `You entered ${fields} without saving.` };
}

/** Returns the label of the field, or the labels of its nested fields. */
function findLabels(labels: FormWords["labels"], name: string): string[] {
  return Object.entries(labels).flatMap(([path, label]) =>
    label && (path === name || path.startsWith(`${name}.`)) ? [label] : [],
  );
}

function joinWords(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
