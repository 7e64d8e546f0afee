/** Returns the keys whose name or visible characters contain the text. */
export function findKeys<Key extends { name: string; redacted_value: string }>(
  keys: readonly Key[],
  typed: string,
): Key[] {
  const sought = typed.trim().toLowerCase();
  return keys.filter((key) => `${key.name} ${key.redacted_value}`.toLowerCase().includes(sought));
}
