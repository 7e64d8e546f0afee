import { countChanges } from "@/components/ui/drafts/form-changes";
import { isObject } from "@/lib/contract/json-value";
import type { SelectOption } from "../fields/select-options";
import { formatCount } from "../values/group-digits";

/** A field that two people have changed to different values. */
export type Conflict = { name: string; was: unknown; current: unknown; edited: unknown };
type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the fields that both people changed to different values. `was` is the version that both edits started from.
 */
export function findConflicts(was: Fields, current: Fields, editedFields: Fields): Conflict[] {
  return Object.keys(editedFields)
    .filter(
      (name) =>
        countChanges(was[name], current[name]) > 0 && countChanges(current[name], editedFields[name]) > 0,
    )
    .map((name) => ({ name, was: was[name], current: current[name], edited: editedFields[name] }));
}

/**
 * Describes a value. For a list, names the entries added and removed since `was`. `choices` has the words of a select's
 * values; `nothing` is for a value or a list that is empty.
 */
export function describeValue(
  value: unknown,
  was: unknown,
  { nothing, choices = [] }: { nothing: string; choices?: readonly SelectOption[] | undefined },
): string {
  if (Array.isArray(value)) return describeList(value, Array.isArray(was) ? was : [], nothing);
  if (value === null || value === undefined || value === "") return nothing;
  if (typeof value === "number") return formatCount(value);
  return choices.find((choice) => choice.value === value)?.label ?? String(value);
}

function describeList(value: readonly unknown[], was: readonly unknown[], nothing: string): string {
  const [now, before] = [value.map(writeEntry), was.map(writeEntry)];
  const addedEntries = now.filter((entry) => !before.includes(entry)).map((entry) => `+ ${entry}`);
  const removedEntries = before.filter((entry) => !now.includes(entry)).map((entry) => `− ${entry}`);
  const changes = [...addedEntries, ...removedEntries];
  if (value.length === 0) return [nothing, ...changes].join("\n");
  return changes.join("\n") || `${value.length} chosen`;
}

/** An entry with several fields is written as their values. */
function writeEntry(entry: unknown): string {
  if (!isObject(entry)) return String(entry);
  return Object.values(entry)
    .filter((value) => value !== null && value !== undefined)
    .join(" · ");
}
