/** Something that is in at most one list. The list alone sets its position. */
export interface ListItem {
  /** -1 while it is in no list. */
  position: number;
}

/**
 * An unordered set with O(1) removal. Unlike `Set`, it doesn't rehash: old hash tables keep ended calls alive
 * (lib/decisions/calls.md).
 */
export class UnorderedList<Item extends ListItem> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    item.position = this.#items.length;
    this.#items.push(item);
  }

  /** Does nothing if the item is not in the list. */
  delete(item: Item): void {
    const { position } = item;
    if (position < 0) return;
    item.position = -1;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#items[position] = last;
    last.position = position;
  }

  /** @param visit may add and delete items. One that moves into a free place meanwhile may be visited twice. */
  each(visit: (item: Item) => void): void {
    for (let at = this.#items.length - 1; at >= 0; at--) {
      const item = this.#items[at];
      if (item) visit(item);
    }
  }
}
