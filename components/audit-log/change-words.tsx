import { classNames } from "@/components/ui/class-names";
import { ExactTime } from "@/components/ui/time/shown-time";
import type { FieldChange, FormattedValue } from "./describe-changes";

/** Shows one changed field: "Requests per minute 600 → 3". */
export function ChangeWords({ change }: { change: FieldChange }) {
  return (
    <span className="wrap-anywhere">
      <span className="text-muted">{change.label}</span>{" "}
      {"added" in change ? <ListWords {...change} /> : <ValueWords {...change} />}
    </span>
  );
}

function ValueWords({ before, after }: { before: FormattedValue | null; after: FormattedValue | null }) {
  if (before === null) return after !== null && <Value value={after} isNew />;
  if (after === null) {
    return (
      <>
        was <Value value={before} />
      </>
    );
  }
  return (
    <>
      <Value value={before} />
      <span role="img" aria-label="to" className="mx-1 text-muted">
        →
      </span>
      <Value value={after} isNew />
    </>
  );
}

/** Shorter values are not divided at a hyphen. */
const DIVIDED_LENGTH = 24;

function Value({ value, isNew = false }: { value: FormattedValue; isNew?: boolean }) {
  const words = typeof value === "string" ? value : <ExactTime at={value.at} />;
  const isWhole = typeof value === "string" && value.length < DIVIDED_LENGTH;
  const Tag = isNew ? "strong" : "span";
  return <Tag className={classNames(isNew && "font-medium", isWhole && "whitespace-nowrap")}>{words}</Tag>;
}

function ListWords({ added, removed }: { added: readonly string[]; removed: readonly string[] }) {
  return (
    <>
      {added.length > 0 && (
        <span>
          added <strong className="font-medium">{added.join(", ")}</strong>
        </span>
      )}
      {added.length > 0 && removed.length > 0 && ", "}
      {removed.length > 0 && <span>removed {removed.join(", ")}</span>}
    </>
  );
}
