import { expect, test } from "bun:test";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import { findOrderFault } from "../provider-kinds";

const plain = {
  family: "image" as const,
  prompt: "A cat",
  count: 1,
  size: { width: 64, height: 64 },
  isSizeFree: true,
  seconds: null,
  quality: null,
  extraFields: {},
};
const find = (body: object, order: object = {}) =>
  findOrderFault({ submit: { path: "/make", body } } as unknown as TaskApi, { ...plain, ...order })?.field ??
  null;

test.each<[string, object, object]>([
  ["n", { count: 2 }, { n: "{count}" }],
  ["size", { isSizeFree: false }, { size: "{size}" }],
  ["size", { isSizeFree: false }, { w: "{width}", h: "{height}" }],
  ["quality", { quality: "hd" }, { quality: "{quality}" }],
  ["seed", { extraFields: { seed: 1 } }, { seed: "{parameters.seed}" }],
  ["seed", { extraFields: { seed: 1 } }, { all: "{parameters}" }],
])("%s is refused unless the mapping has a place for it: %j in %j", (field, order, body) => {
  expect(find({}, order)).toBe(field);
  expect(find(body, order)).toBeNull();
});

test("a width without a height is no place for a size, and what a call leaves out needs none", () => {
  expect(find({ w: "{width}" }, { isSizeFree: false })).toBe("size");
  expect(find({})).toBeNull();
});
