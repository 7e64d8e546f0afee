import { expect, test } from "bun:test";
import { everyModel, mayCall } from "./model-choice";

test("an allow list lets its models through alone, a deny list all but its own", () => {
  const ids = { model_ids: ["a"] };
  const calls = (["all", "allow_list", "deny_list"] as const).map((mode) =>
    ["a", "b"].map((model) => mayCall({ mode, ...ids }, model)),
  );
  expect(calls).toEqual([
    [true, true],
    [true, false],
    [false, true],
  ]);
  expect(mayCall(everyModel, "a")).toBe(true);
});
