import { diffWords } from "./diff-words";

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
