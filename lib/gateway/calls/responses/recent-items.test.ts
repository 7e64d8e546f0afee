import { expect, test } from "bun:test";
import { HOUR_MS } from "@/lib/contract/durations";
import { RecentItems } from "./turn";

const item = (id: string, text = "") => ({ id, type: "message", text });

test("items are found by their project and id, for an hour", () => {
  let nowMs = 0;
  const items = new RecentItems({ nowMs: () => nowMs });
  items.note("a", [item("msg_1", "one")]);
  items.note("b", [item("msg_1", "two")]);
  expect(items.find("a", "msg_1")).toEqual(item("msg_1", "one"));
  expect(items.find("b", "msg_1")).toEqual(item("msg_1", "two"));
  expect(items.find("c", "msg_1")).toBeUndefined();
  nowMs = HOUR_MS;
  expect(items.find("a", "msg_1")).toBeUndefined();
});

test("the oldest make room for others, and one that fills all room isn't taken", () => {
  const size = JSON.stringify(item("msg_1")).length;
  const items = new RecentItems({ nowMs: () => 0 }, 2 * size);
  items.note("a", [item("msg_1"), item("msg_2"), item("msg_3")]);
  expect(["msg_1", "msg_2", "msg_3"].map((id) => items.find("a", id)?.id)).toEqual([
    undefined,
    "msg_2",
    "msg_3",
  ]);
  items.note("a", [item("msg_4", "x".repeat(3 * size))]);
  expect(["msg_3", "msg_4"].map((id) => items.find("a", id)?.id)).toEqual(["msg_3", undefined]);
  items.note("a", [item("msg_2"), item("msg_2")]);
  expect(items.find("a", "msg_3")?.id).toBe("msg_3");
});
