import { containsWords } from "@/components/ui/search/match-words";

type CheckboxOption = {
  /** The API's name, shown in mono. */
  value: string;
  /** A sentence for people. */
  sentence: string;
};

export type CheckboxOptionGroup = { heading: string; options: readonly CheckboxOption[] };

/**
 * Returns the options whose name, sentence and heading together contain every word of the search. Empty groups are left
 * out.
 */
export function searchOptions(groups: readonly CheckboxOptionGroup[], search: string): CheckboxOptionGroup[] {
  return groups
    .map((group) => ({
      ...group,
      options: group.options.filter(({ value, sentence }) =>
        containsWords(`${group.heading} ${value} ${sentence}`, search),
      ),
    }))
    .filter((group) => group.options.length > 0);
}

/** Adds values to those chosen, in the order of `all`; values not in `all` go to the end. */
export function chooseValues(
  all: readonly string[],
  chosen: readonly string[],
  values: readonly string[],
): string[] {
  const next = new Set([...chosen, ...values]);
  const offeredValues = all.filter((value) => next.delete(value));
  return [...offeredValues, ...next];
}

export function removeValues(chosen: readonly string[], values: readonly string[]): string[] {
  return chosen.filter((value) => !values.includes(value));
}
