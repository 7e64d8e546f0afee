import { formatCount } from "../ui/group-digits";

/** Shown below a list that has more rows than it shows. */
export function FirstRowsNote({ shown }: { shown: number }) {
  return (
    <p className="mt-2 text-sm text-muted">
      These are the first {formatCount(shown)}. The API lists them all, page by page.
    </p>
  );
}
