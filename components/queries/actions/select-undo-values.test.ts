import { expect, test } from "bun:test";
import { selectUndoValues } from "./use-save-changes";

const names = ["mode", "model_ids", "note"] as const;
const was = { mode: "allow_list", model_ids: ["a", "b"], note: "" };

test("undo also restores what the save changed beside the typed field", () => {
  const now = { mode: "all", model_ids: [], note: "" };
  expect(selectUndoValues(names, { mode: "allow_list" }, was, now)).toEqual({
    mode: "allow_list",
    model_ids: ["a", "b"],
  });
});

test("undo restores the value that was typed over even if somebody else had saved the same", () => {
  const current = { ...was, mode: "all" };
  expect(selectUndoValues(names, { mode: "allow_list" }, current, current)).toEqual({ mode: "allow_list" });
});
