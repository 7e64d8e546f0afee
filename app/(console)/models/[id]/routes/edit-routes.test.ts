import { expect, test } from "bun:test";
import { findShare, inGroups, moveRoute, type RouteValue } from "./route-words";

const route = (provider: string, group: number, weight = 100): RouteValue => ({
  provider,
  model: "m",
  group,
  weight,
  order: "weight",
  context_window: null,
  ends_at: null,
  price: null,
  ended_early: null,
});
const names = (routes: readonly RouteValue[]) => routes.map(({ provider, group }) => `${provider}${group}`);

test("a route takes the order of the group that it joins, from above and from below", () => {
  const fastest = { ...route("b", 2), order: "latency" as const };
  expect(moveRoute([route("a", 1), fastest], 0, 1).map(({ order }) => order)).toEqual(["latency", "latency"]);
  expect(moveRoute([route("a", 1), fastest], 1, -1).map(({ order }) => order)).toEqual(["weight", "weight"]);
});

test("a route moves into the group above, and out of a shared group into one of its own", () => {
  const [alone, second] = [route("a", 1), route("b", 2)];
  const joined = moveRoute([alone, second], 1, -1);
  expect(names(joined)).toEqual(["a1", "b1"]);
  expect(names(moveRoute(joined, 1, 1))).toEqual(["a1", "b2"]);
  expect(names(moveRoute(joined, 1, -1))).toEqual(["b1", "a2"]);
  expect(names(moveRoute([...joined, route("c", 2)], 0, 1))).toEqual(["b1", "a2", "c3"]);
});

test("groups are numbered from one without a gap", () => {
  expect(names(inGroups([route("a", 7), route("b", 2), route("c", 7)]))).toEqual(["b1", "a2", "c2"]);
});

test("the share of a route is its part of its group's weight", () => {
  const routes = [route("a", 1, 30), route("b", 1, 10), route("c", 2, 0)];
  expect(routes.map((one) => findShare(routes, one))).toEqual([0.75, 0.25, null]);
});
