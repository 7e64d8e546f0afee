export type CheckboxOption = {
  /** The API's name, shown in mono. */
  value: string;
  /** A sentence for people. */
  sentence: string;
};
export type CheckboxOptionGroup = { heading: string; options: readonly CheckboxOption[] };

/** Returns the options whose name, sentence and heading together contain every word of the search. Empty groups are left out. */
export function searchOptions(groups: readonly CheckboxOptionGroup[], search: string): CheckboxOptionGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      ...group,
      options: group.options.filter((option) => holdsEvery(option, group.heading, words)),
    }))
    .filter((group) => group.options.length > 0);
}

function holdsEvery(option: CheckboxOption, heading: string, words: readonly string[]): boolean {
  const text = `${heading} ${option.value} ${option.sentence}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Adds all of `values` to `selection`, or removes them. Keeps the order of `all`; values not in `all` go to the end. */
export function setChosen(
  all: readonly string[],
  selection: readonly string[],
  values: readonly string[],
  isTicked: boolean,
) {
  const next = new Set(
    isTicked ? [...selection, ...values] : selection.filter((value) => !values.includes(value)),
  );
  const offeredValues = all.filter((value) => next.delete(value));
  return [...offeredValues, ...next];
}
