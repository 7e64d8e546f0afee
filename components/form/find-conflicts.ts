import { formatCount } from "../ui/group-digits";
import { countChanges } from "./count-changes";

/** A field that two people have changed to different values. */
export type Conflict = { name: string; was: unknown; current: unknown; edited: unknown };
type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields that both users changed to different values. `was` is the version that both edits started from. */
export function findConflicts(was: Fields, current: Fields, editedFields: Fields): Conflict[] {
  return Object.keys(editedFields)
    .filter(
      (name) =>
        countChanges(was[name], current[name]) > 0 && countChanges(current[name], editedFields[name]) > 0,
    )
    .map((name) => ({ name, was: was[name], current: current[name], edited: editedFields[name] }));
}

/** Describes a value. For a list, names the entries added and removed since `was`. */
export function describeValue(value: unknown, was: unknown, nothing: string): string {
  if (Array.isArray(value)) return describeList(value, Array.isArray(was) ? was : []);
  if (value === null || value === undefined || value === "") return nothing;
  return typeof value === "number" ? formatCount(value) : String(value);
}

function describeList(value: readonly unknown[], was: readonly unknown[]): string {
  const addedEntries = value.filter((entry) => !was.includes(entry)).map((entry) => `+ ${entry}`);
  const removedEntries = was.filter((entry) => !value.includes(entry)).map((entry) => `− ${entry}`);
  return [...addedEntries, ...removedEntries].join("\n") || `${value.length} chosen`;
}
