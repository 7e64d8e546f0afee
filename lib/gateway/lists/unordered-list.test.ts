import { expect, test } from "bun:test";
import { type ListItem, UnorderedList } from "./unordered-list";

class Item implements ListItem {
  position = -1;
  constructor(readonly name: number) {}
}

function visitNames(list: UnorderedList<Item>): number[] {
  const names: number[] = [];
  list.each(({ name }) => names.push(name));
  return names.toSorted((one, other) => one - other);
}

test("has what was added and not deleted, in any order of both", () => {
  const list = new UnorderedList<Item>();
  const present = new Set<Item>();
  let seed = 1;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const items = Array.from({ length: 40 }, (_, name) => new Item(name));
  for (let step = 0; step < 2_000; step++) {
    const item = items[next(items.length)] as Item;
    if (present.delete(item)) list.delete(item);
    else {
      present.add(item);
      list.add(item);
    }
    expect(list.size).toBe(present.size);
    expect(visitNames(list)).toEqual(
      [...present].map(({ name }) => name).toSorted((one, other) => one - other),
    );
  }
});

test("deletes an item once: a second time changes nothing", () => {
  const list = new UnorderedList<Item>();
  const [one, other] = [new Item(1), new Item(2)];
  list.add(one);
  list.add(other);
  list.delete(one);
  list.delete(one);
  expect(visitNames(list)).toEqual([2]);
});

test("visits every item, also if visits delete items and add others", () => {
  const list = new UnorderedList<Item>();
  const items = Array.from({ length: 9 }, (_, name) => new Item(name));
  for (const item of items) list.add(item);
  const visitedItems = new Set<number>();
  list.each((item) => {
    visitedItems.add(item.name);
    list.delete(item);
    if (item.name === 4) list.add(new Item(100));
  });
  expect([...visitedItems].filter((name) => name < 9).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(visitNames(list)).toEqual([100]);
});
