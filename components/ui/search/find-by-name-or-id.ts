/** Returns the rows whose name and id contain the typed text, in any case. */
export function findByNameOrId<Row extends { readonly name: string; readonly id: string }>(
  rows: readonly Row[],
  typed: string,
): readonly Row[] {
  const sought = typed.trim().toLowerCase();
  return rows.filter(({ name, id }) => `${name} ${id}`.toLowerCase().includes(sought));
}
