import { expect, test } from "bun:test";
import { paginate, paginateByNext } from "./paginate";

const items = ["a", "b", "c", "d", "e"].map((id) => ({ id }));
const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id).join("");

test("pages after one another hold every item once, in order", () => {
  const first = paginate(items, { limit: 2 });
  expect([ids(first), first.has_more, first.first_id, first.last_id]).toEqual(["ab", true, "a", "b"]);
  const second = paginate(items, { limit: 2, after: "b" });
  expect([ids(second), second.has_more]).toEqual(["cd", true]);
  const third = paginate(items, { limit: 2, after: "d" });
  expect([ids(third), third.has_more, third.last_id]).toEqual(["e", false, "e"]);
  expect(paginate(items, { after: "e" })).toEqual({
    object: "list",
    data: [],
    has_more: false,
    first_id: null,
    last_id: null,
  });
});

test("a page before an item is the one that ends at it", () => {
  const page = paginate(items, { limit: 2, before: "d" });
  expect([ids(page), page.has_more]).toEqual(["bc", true]);
  expect(ids(paginate(items, { limit: 9, before: "c" }))).toBe("ab");
  expect(ids(paginate(items, { after: "a", before: "d" }))).toBe("bc");
});

test("next is where the following page begins, and null at the end", () => {
  expect(paginateByNext(items, { limit: 4 })).toMatchObject({ has_more: true, next: "d" });
  expect(paginateByNext(items, { limit: 5 })).toMatchObject({ has_more: false, next: null });
});

test("an id that is not in the list is refused, not taken for the end", () => {
  expect(() => paginate(items, { after: "z" })).toThrow('"z" is not in this list');
  expect(() => paginateByNext(items, { before: "" })).toThrow("is not in this list");
});
