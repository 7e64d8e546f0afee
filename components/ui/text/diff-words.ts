import { diffWordsWithSpace } from "diff";

interface Difference {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** With more edits than this, the whole text counts as replaced, since nobody reads so many. */
const MAX_EDITS = 2_000;

/** Compares two texts word by word. */
export function diffWords(before: string, after: string): Difference[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  if (!changes)
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ];
  return changes.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}
