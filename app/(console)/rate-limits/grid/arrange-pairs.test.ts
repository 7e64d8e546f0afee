import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Arrangement, arrangePairs, finish, sortInSlices } from "./arrange-pairs";
import { isUsable, jump, LAST_COLUMN, NAMES, page, selectBetween, step, toBlock } from "./grid-cursor";
import { createPair } from "./testing/create-pair";

const pairs = [
  createPair("Search", "gpt-10", { max_requests_per_1_minute: 5 }),
  createPair("Bot", "gpt-5"),
  createPair("Search", "embedding-3", {}, "embedding"),
  createPair("Search", "gpt-5", { max_requests_per_1_minute: 9000, max_requests_per_1_day: null }),
];
const all: Arrangement = {
  text: "",
  family: "",
  provider: "",
  setByHand: false,
  keys: null,
  groupBy: "project",
  sort: null,
  toggled: new Set(),
};
const arrange = (change: Partial<Arrangement> = {}) => finish(arrangePairs(pairs, { ...all, ...change }));
const words = (change?: Partial<Arrangement>) =>
  arrange(change).map((item) =>
    item.kind === "group" ? `${item.name}:` : `${item.pair.projectName}/${item.pair.model}`,
  );

test("pairs are grouped by project in the natural order of names, or by model", () => {
  expect(words()).toEqual([
    "Bot:",
    "Bot/gpt-5",
    "Search:",
    "Search/embedding-3",
    "Search/gpt-5",
    "Search/gpt-10",
  ]);
  expect(words({ groupBy: "model" }).slice(2, 5)).toEqual(["gpt-5:", "Bot/gpt-5", "Search/gpt-5"]);
});

test("a column sorts within its groups; limits that don't apply are last", () => {
  const sort = { column: 0, isDescending: true };
  expect(words({ sort })).toEqual([
    "Bot:",
    "Bot/gpt-5",
    "Search:",
    "Search/gpt-5",
    "Search/embedding-3",
    "Search/gpt-10",
  ]);
  const images = words({ groupBy: "none", sort: { column: 2, isDescending: false } });
  expect(images.at(-1)).toBe("Search/embedding-3");
});

test("filters combine, and a group without rows isn't there", () => {
  expect(words({ text: "gpt sea" })).toEqual(["Search:", "Search/gpt-5", "Search/gpt-10"]);
  expect(words({ setByHand: true, text: "5" })).toEqual(["Search:", "Search/gpt-5"]);
  expect(words({ family: "embedding" })).toEqual(["Search:", "Search/embedding-3"]);
  expect(words({ provider: "anthropic" })).toEqual([]);
  expect(words({ keys: new Set([pairs[1]?.key ?? ""]) })).toEqual(["Bot:", "Bot/gpt-5"]);
});

test("a closed group stands for its rows", () => {
  const items = arrange({ toggled: new Set(["proj_search"]) });
  expect(items).toHaveLength(3);
  const head = selectBetween({ row: 2, column: NAMES }, { row: 2, column: NAMES });
  expect(toBlock(items, head).pairs).toHaveLength(3);
  expect(toBlock(items, head).columns).toHaveLength(LAST_COLUMN + 1);
});

test("the cursor skips heads in columns of limits, and limits that don't apply", () => {
  const items = arrange();
  expect(step(items, { row: 1, column: 0 }, "down")).toEqual({ row: 3, column: 0 });
  expect(step(items, { row: 1, column: NAMES }, "down")).toEqual({ row: 2, column: NAMES });
  // Embeddings take no images and no audio.
  expect(step(items, { row: 1, column: 2 }, "down")).toEqual({ row: 4, column: 2 });
  expect(step(items, { row: 3, column: 1 }, "right")).toEqual({ row: 3, column: 4 });
  expect(step(items, { row: 5, column: 0 }, "down")).toEqual({ row: 5, column: 0 });
});

test("a jump goes to the next limit set by hand or in the draft, and then to the edge", () => {
  const items = arrange();
  const none = () => ({});
  expect(jump(items, { row: 1, column: 0 }, "down", none)).toEqual({ row: 4, column: 0 });
  const base = { value: 600, isOwn: false };
  const drafted = (key: string) =>
    key === pairs[2]?.key ? { max_requests_per_1_minute: { to: 1, base } } : {};
  expect(jump(items, { row: 1, column: 0 }, "down", drafted)).toEqual({ row: 3, column: 0 });
  expect(jump(items, { row: 5, column: 1 }, "up", none)).toEqual({ row: 1, column: 1 });
  expect(jump(items, { row: 3, column: 0 }, "right", none)).toEqual({ row: 3, column: LAST_COLUMN });
});

test("whatever is pressed, the cursor stands where it may", () => {
  const items = arrange();
  const directions = fc.constantFrom("up", "down", "left", "right");
  fc.assert(
    fc.property(fc.array(fc.tuple(directions, fc.nat(2))), (presses) => {
      let place = { row: 1, column: 0 };
      for (const [direction, kind] of presses) {
        if (kind === 0) place = step(items, place, direction);
        else if (kind === 1) place = jump(items, place, direction, () => ({}));
        else place = page(items, place, direction === "up" ? -3 : 3);
        expect(isUsable(items, place)).toBe(true);
      }
    }),
  );
});

test("sorting in slices equals sorting at once, and keeps rows that compare equal in order", () => {
  const rows = fc
    .array(fc.tuple(fc.nat(5), fc.nat()), { maxLength: 50 })
    .map((some) => Array.from({ length: 300 }, () => some).flat());
  fc.assert(
    fc.property(rows, (list) => {
      const compare = ([one]: [number, number], [other]: [number, number]) => one - other;
      expect(finish(sortInSlices(list, compare))).toEqual(list.toSorted(compare));
    }),
    { numRuns: 20 },
  );
});

test("the default of every model is above all, and the others and those of plans are groups that begin closed", () => {
  const shared = (kind: "default" | "plan", name: string, model: string) => ({
    ...createPair(name, model),
    kind,
    key: `${name} ${model}`,
    projectId: name,
  });
  const rows = [
    shared("default", "Defaults", "gpt-5"),
    shared("default", "Defaults", ""),
    shared("plan", "Trial", "gpt-5"),
    shared("plan", "Trial", ""),
    ...pairs.slice(1, 2),
  ];
  const list = (change: Partial<Arrangement>) =>
    finish(arrangePairs(rows, { ...all, ...change })).map((item) =>
      item.kind === "group" ? `${item.name}:` : `${item.pair.projectName}/${item.pair.model}`,
    );
  expect(list({})).toEqual(["Defaults/", "Defaults of models:", "Trial:", "Bot:", "Bot/gpt-5"]);
  expect(list({ toggled: new Set(["Trial"]) }).slice(2, 5)).toEqual(["Trial:", "Trial/", "Trial/gpt-5"]);
  expect(list({ groupBy: "model" })).toEqual([
    "Defaults/",
    "Trial/",
    "gpt-5:",
    "Defaults/gpt-5",
    "Trial/gpt-5",
    "Bot/gpt-5",
  ]);
});
