import { classNames } from "@/components/ui/class-names";
import { ExactTime } from "@/components/ui/time/shown-time";
import { describePriceClasses, describeUnitPrice } from "@/components/ui/values/describe-unit-price";
import { groupDigits } from "@/components/ui/values/group-digits";
import { predefinedRoleNames } from "@/lib/contract/access/predefined-role-names";
import { rateLimitRows } from "@/lib/contract/calls/rate-limit-table";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import type { AudioPrice } from "@/lib/contract/operations/models/models";
import { formatAmount, formatCents, toNano } from "@/lib/money/amount";
import { type FieldWords, findFieldWords } from "./field-words";

export type AuditChange = AuditLog["changes"][number];

/** A formatted value, or a time in Unix seconds. */
type FormattedValue = string | { readonly at: number };

/** A changed field with its old and new value, null if there is none. For a list, the entries added and removed. */
export type FieldChange =
  | { readonly label: string; readonly before: FormattedValue | null; readonly after: FormattedValue | null }
  | { readonly label: string; readonly added: readonly string[]; readonly removed: readonly string[] };

/** Describes the fields that people set, in the order of the event's rows. */
export function describeChanges(changes: readonly AuditChange[]): FieldChange[] {
  const [roles, others] = [changes.filter(isAssignment), changes.filter((change) => !isAssignment(change))];
  return [...describeRoles(roles), ...others.flatMap(describeRow)];
}

function isAssignment({ object }: AuditChange): boolean {
  return object === "role_assignments";
}

/** Combines the removal of roles and the addition of others for the same holder into one change. */
function describeRoles(changes: readonly AuditChange[]): FieldChange[] {
  const holders = new Map<string, AuditChange[]>();
  for (const change of changes) {
    const key = `${change.subject_id} ${change.project_id}`;
    holders.set(key, [...(holders.get(key) ?? []), change]);
  }
  return [...holders.values()].map((roles) => {
    const names = (isAdded: boolean) =>
      roles.filter(({ after }) => (after !== null) === isAdded).map(({ id, name }) => name ?? id);
    const [added, removed] = [names(true), names(false)];
    if (added.length > 1 || removed.length > 1) return { label: "Roles", added, removed };
    return { label: "Role", before: removed[0] ?? null, after: added[0] ?? null };
  });
}

const NAMES: readonly string[] = ["name", "email"];
/** Stored as 0 for models priced by the unit. */
const TOKEN_PRICES: readonly string[] = ["input_per_1m", "output_per_1m"];

function describeRow(change: AuditChange): FieldChange[] {
  const { object, subject_id, subject_name } = change;
  const after = change.after ?? change.default_after ?? null;
  if (object === "group_users") {
    const member = [subject_name ?? subject_id ?? ""];
    return [{ label: "Members", added: after ? member : [], removed: after ? [] : member }];
  }
  const before = change.before ?? change.default_before;
  const row = after ?? before ?? {};
  const columns = Object.keys(row).filter((column) => !row.unit_price || !TOKEN_PRICES.includes(column));
  // The name of a created or deleted object is shown with the object.
  const shownColumns = before && after ? columns : columns.filter((column) => !NAMES.includes(column));
  return shownColumns.flatMap((column) => {
    const words = findFieldWords(object, column);
    return words ? describeField(words, column, { before, after }) : [];
  });
}

/** The rows of an object before and after a change, null where it doesn't exist. */
type Rows = Pick<AuditChange, "before" | "after">;

function describeField(
  words: FieldWords,
  column: string,
  { before: oldRow, after: newRow }: Rows,
): FieldChange[] {
  const { label, none } = words;
  const [was, is] = [oldRow?.[column] ?? null, newRow?.[column] ?? null];
  if (was === is) return [];
  if (words.format === "list") {
    const [before, after] = [parseList(was), parseList(is)];
    const added = after.filter((entry) => !before.includes(entry));
    const removed = before.filter((entry) => !after.includes(entry));
    return added.length + removed.length > 0 ? [{ label, added, removed }] : [];
  }
  const formatChangedValue = (value: unknown, row: Rows["before"]) =>
    value === null || value === "[]" ? row && none : formatValue(words.format, value);
  return [{ label, before: formatChangedValue(was, oldRow), after: formatChangedValue(is, newRow) }];
}

function formatValue(format: FieldWords["format"], value: unknown): FormattedValue {
  const text = String(value);
  if (text.startsWith("***")) return "hidden";
  switch (format) {
    case "time":
      return { at: Math.floor(Number(value) / 1000) };
    case "nano":
      return formatAmount(toNano(BigInt(text)));
    case "cents":
      return formatCents(Number(value));
    case "count":
      return groupDigits(text);
    case "role":
      return (predefinedRoleNames as Readonly<Record<string, string>>)[text] ?? text;
    case "audio price": {
      const price = JSON.parse(text) as AudioPrice | null;
      return price ? `${price.input_per_1m} in, ${price.output_per_1m} out per 1M tokens` : "same as text";
    }
    case "limits":
      return Object.entries(JSON.parse(text) as Readonly<Record<string, number | null>>)
        .map(
          ([field, limit]) =>
            `${limitLabel(field)} ${limit === null ? "no limit" : groupDigits(String(limit))}`,
        )
        .join(", ");
    case "given role": {
      const { roleId } = JSON.parse(text) as { roleId: string };
      return (predefinedRoleNames as Readonly<Record<string, string>>)[roleId] ?? roleId;
    }
    case "changed objects":
      return (JSON.parse(text) as { path: string[]; kind: string }[])
        .map(({ path, kind }) => `${path.join(" › ")} (${kind})`)
        .join(", ");
    case "price classes":
      return `${describePriceClasses(JSON.parse(text))} per 1M tokens`;
    case "unit price":
      return describeUnitPrice(JSON.parse(text));
    default:
      return text;
  }
}

function limitLabel(field: string): string {
  return rateLimitRows.find((row) => row.field === field)?.words.label ?? field;
}

/** Parses a list stored as JSON. */
function parseList(value: unknown): string[] {
  if (typeof value !== "string") return [];
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.map(describeEntry) : [];
}

function describeEntry(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return limitLabel(String(entry));
  return Object.values(entry).map(String).join(" · ");
}

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
