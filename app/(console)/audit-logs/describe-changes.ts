import { groupDigits } from "@/components/ui/group-digits";
import type { AuditLog } from "@/lib/contract/operations/audit-logs";
import type { UnitPrice } from "@/lib/contract/operations/models";
import { predefinedRoles } from "@/lib/contract/predefined-roles";
import { formatAmount, toNano } from "@/lib/money/amount";
import { type FieldWords, wordsOf } from "./field-words";

export type AuditChange = AuditLog["changes"][number];

/** A value in words, or a time in Unix seconds. */
export type Told = string | { readonly at: number };

/** One field, from what to what; null where there was or is nothing to tell. Of a list, what came and went. */
export type FieldChange =
  | { readonly label: string; readonly before: Told | null; readonly after: Told | null }
  | { readonly label: string; readonly added: readonly string[]; readonly removed: readonly string[] };

/** What became of the fields that people set, in the order of the events' rows. */
export function describeChanges(changes: readonly AuditChange[]): FieldChange[] {
  const [roles, others] = [changes.filter(isAssignment), changes.filter((change) => !isAssignment(change))];
  return [...describeRoles(roles), ...others.flatMap(describeRow)];
}

function isAssignment({ object }: AuditChange): boolean {
  return object === "role_assignments";
}

/** A role that takes another's place is one change of whoever holds it. */
function describeRoles(changes: readonly AuditChange[]): FieldChange[] {
  const holders = new Map<string, { label: string; before: string | null; after: string | null }>();
  for (const { id, name, subject_id, project_id, after } of changes) {
    const key = `${subject_id} ${project_id}`;
    const told = holders.get(key) ?? { label: "Role", before: null, after: null };
    holders.set(key, { ...told, [after === null ? "before" : "after"]: name ?? id });
  }
  return [...holders.values()];
}

const NAMES: readonly string[] = ["name", "email"];
/** Kept as 0 of a model that is priced by what it makes. */
const TOKEN_PRICES: readonly string[] = ["input_per_1m", "output_per_1m"];

function describeRow(change: AuditChange): FieldChange[] {
  const { object, subject_id, subject_name, after } = change;
  if (object === "group_users") {
    const member = [subject_name ?? subject_id ?? ""];
    return [{ label: "Members", added: after ? member : [], removed: after ? [] : member }];
  }
  const before = change.before ?? change.default_before;
  const row = after ?? before ?? {};
  const columns = Object.keys(row).filter((column) => !row.unit_price || !TOKEN_PRICES.includes(column));
  // Of what was made or deleted the name is said with the object.
  const told = before && after ? columns : columns.filter((column) => !NAMES.includes(column));
  return told.flatMap((column) => {
    const words = wordsOf(object, column);
    const [was, is] = [before?.[column] ?? null, after?.[column] ?? null];
    return words && was !== is ? describeField(words, was, is, before !== null, after !== null) : [];
  });
}

function describeField(
  words: FieldWords,
  was: unknown,
  is: unknown,
  wasThere: boolean,
  isThere: boolean,
): FieldChange[] {
  const { label, none } = words;
  if (words.format === "list") {
    const [before, after] = [listOf(was), listOf(is)];
    const added = after.filter((entry) => !before.includes(entry));
    const removed = before.filter((entry) => !after.includes(entry));
    return added.length + removed.length > 0 ? [{ label, added, removed }] : [];
  }
  const tell = (value: unknown, isRow: boolean) =>
    value === null ? (isRow ? none : null) : toldAs(words.format, value);
  return [{ label, before: tell(was, wasThere), after: tell(is, isThere) }];
}

function toldAs(format: FieldWords["format"], value: unknown): Told {
  const text = String(value);
  if (text.startsWith("***")) return "hidden";
  switch (format) {
    case "time":
      return { at: Math.floor(Number(value) / 1000) };
    case "nano":
      return formatAmount(toNano(BigInt(text)));
    case "cents":
      return (Number(value) / 100).toFixed(2);
    case "count":
      return groupDigits(text);
    case "role":
      return predefinedRoles.find(({ id }) => id === text)?.name ?? text;
    case "unit price":
      return describeUnitPrice(JSON.parse(text));
    default:
      return text;
  }
}

/** "0.04 / image, hd 0.08": the usual price, then those of further qualities. */
function describeUnitPrice({ amount, unit, qualities = {} }: UnitPrice): string {
  const others = Object.entries(qualities).map(([quality, price]) => `${quality} ${price}`);
  return [`${amount} / ${unit}`, ...others].join(", ");
}

/** The entries of a list that is kept as JSON. */
function listOf(value: unknown): string[] {
  if (typeof value !== "string") return [];
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.map(describeEntry) : [];
}

function describeEntry(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return String(entry);
  return Object.values(entry).map(String).join(" · ");
}
