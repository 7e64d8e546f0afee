import { containsWords } from "./match-words";

/** Returns the people whose name and address together contain every typed word. */
export function findPeople<Row extends { readonly name: string; readonly email: string }>(
  rows: readonly Row[],
  typed: string,
): readonly Row[] {
  return rows.filter(({ name, email }) => containsWords(`${name} ${email}`, typed));
}
