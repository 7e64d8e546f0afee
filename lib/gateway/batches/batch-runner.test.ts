import { expect, test } from "bun:test";
import { hasFreeSlot, listFullProjects } from "./batch-runner";

const batches = (count: number, projectId: string, isWaiting: boolean) =>
  Array.from({ length: count }, () => ({ projectId, isWaiting }));

test("batches that are answered take the places of all, batches that wait those of their project", () => {
  expect(listFullProjects(batches(2, "a", false))).toEqual([]);
  expect(listFullProjects([...batches(3, "a", false), ...batches(1, "b", false)])).toBe("all");
  expect(listFullProjects(batches(4, "a", true))).toEqual(["a"]);
  expect(listFullProjects([...batches(4, "a", true), ...batches(3, "b", false)])).toEqual(["a", "b"]);
  expect(listFullProjects([...batches(4, "a", true), ...batches(4, "b", false)])).toBe("all");
});

test("batches of one project that are answered, however slowly, leave a place for the others", () => {
  expect(listFullProjects(batches(3, "a", false))).toEqual(["a"]);
});

test("a process keeps no more than sixteen batches open, and ends a few beside them", () => {
  const waiting = ["a", "b", "c", "d"].flatMap((projectId) => batches(4, projectId, true));
  expect(listFullProjects(waiting)).toBe("all");
  expect([hasFreeSlot(16), hasFreeSlot(19), hasFreeSlot(20)]).toEqual([true, true, false]);
});
