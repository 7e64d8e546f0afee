import { containsWords } from "./match-words";

/** Returns the rows whose name and id contain the typed text, in any case. */
export function findByNameOrId<Row extends { readonly name: string; readonly id: string }>(
  rows: readonly Row[],
  typed: string,
): readonly Row[] {
  const sought = typed.trim().toLowerCase();
  return rows.filter(({ name, id }) => `${name} ${id}`.toLowerCase().includes(sought));
}

/** Returns the people whose name and address together contain every typed word. */
export function findPeople<Row extends { readonly name: string; readonly email: string }>(
  rows: readonly Row[],
  typed: string,
): readonly Row[] {
  return rows.filter(({ name, email }) => containsWords(`${name} ${email}`, typed));
}
