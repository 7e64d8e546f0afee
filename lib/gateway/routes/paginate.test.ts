import { expect, test } from "bun:test";
import type { OrderedPageQuery } from "@/lib/contract/schema";
import { listInMemory } from "../lists/paged-list";
import { paginate, paginateByNext } from "./paginate";

const items = ["a", "b", "c", "d", "e"].map((id) => ({ id }));
const page = (query: OrderedPageQuery) => paginate(listInMemory(items), query, ({ id }) => id);
const ids = async (query: OrderedPageQuery) => (await page(query)).data.join("");

test("pages after one another hold every item once, in order", async () => {
  expect(await page({ limit: 2 })).toMatchObject({
    data: ["a", "b"],
    has_more: true,
    first_id: "a",
    last_id: "b",
  });
  expect(await page({ limit: 2, after: "b" })).toMatchObject({ data: ["c", "d"], has_more: true });
  expect(await page({ limit: 2, after: "d" })).toMatchObject({ data: ["e"], has_more: false, last_id: "e" });
  expect(await page({ after: "e" })).toEqual({
    object: "list",
    data: [],
    has_more: false,
    first_id: null,
    last_id: null,
  });
});

test("a page before an item is the one that ends at it", async () => {
  expect(await page({ limit: 2, before: "d" })).toMatchObject({ data: ["b", "c"], has_more: true });
  expect(await ids({ limit: 9, before: "c" })).toBe("ab");
  expect(await ids({ after: "a", before: "d" })).toBe("bc");
});

test("a list has the same rows from its other end", async () => {
  expect(await ids({ order: "desc", limit: 2 })).toBe("ed");
  expect(await ids({ order: "desc", after: "d", limit: 2 })).toBe("cb");
  expect(await ids({ order: "desc", before: "b", limit: 2 })).toBe("dc");
});

test("next is where the following page begins, and null at the end", async () => {
  const byNext = (limit: number) => paginateByNext(listInMemory(items), { limit }, ({ id }) => id);
  expect(await byNext(4)).toMatchObject({ has_more: true, next: "d", last_id: "d" });
  expect(await byNext(5)).toMatchObject({ has_more: false, next: null, last_id: "e" });
});

test("refuses an id that isn't in the list, instead of treating it as the end", async () => {
  expect(page({ after: "z" })).rejects.toThrow('"z" is not in this list');
  expect(page({ before: "" })).rejects.toThrow("is not in this list");
});
