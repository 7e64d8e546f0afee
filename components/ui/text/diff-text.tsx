import { diffWordsWithSpace } from "diff";

/** Shows the differences of two texts: strikes through what only `before` has, underlines what only `after` has. */
export function DiffText({ before, after }: { before: string; after: string }) {
  return (
    <>
      <p className="leading-7 break-words whitespace-pre-wrap">
        {diffWords(before, after).map(({ kind, text }, index) => {
          if (kind === "same") return <span key={index}>{text}</span>;
          return kind === "removed" ? (
            <del key={index} className="bg-danger-soft text-danger">
              {text}
            </del>
          ) : (
            <ins key={index} className="bg-success-soft text-success">
              {text}
            </ins>
          );
        })}
      </p>
      <p className="mt-4 border-t pt-3 text-sm text-muted">
        <del className="bg-danger-soft text-danger">Struck through</del>: only the first says it.{" "}
        <ins className="bg-success-soft text-success">Underlined</ins>: only the second does.
      </p>
    </>
  );
}

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
