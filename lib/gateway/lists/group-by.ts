/** The items of each key, in their order. The compiler's language version lacks `Map.groupBy`. */
export function groupBy<Item, Key>(items: Iterable<Item>, readKey: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(readKey(item));
    if (group) group.push(item);
    else groups.set(readKey(item), [item]);
  }
  return groups;
}
