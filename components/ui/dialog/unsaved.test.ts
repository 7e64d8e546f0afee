import { afterEach, expect, test } from "bun:test";
import {
  confirmLeave,
  currentQuestion,
  isAnythingUndrafted,
  keepEditing,
  registerUnsaved,
  type UnsavedInput,
} from "./unsaved";

const unregister: (() => void)[] = [];
afterEach(() => {
  keepEditing();
  for (const leave of unregister.splice(0)) leave();
});

function open(title: string, discarded: string[]): UnsavedInput {
  const input = { dialog: null, describe: () => ({ title, text: "" }), discard: () => discarded.push(title) };
  unregister.push(registerUnsaved(input));
  return input;
}

test("leaving one input asks about that one alone, and discards no other", () => {
  const discarded: string[] = [];
  const [first] = [open("first", discarded), open("second", discarded)];
  confirmLeave(() => discarded.push("left"), first);
  expect([currentQuestion()?.loss.title, discarded]).toEqual(["first", []]);
  currentQuestion()?.discardAndLeave();
  expect(discarded).toEqual(["first", "left"]);
});

test("leaving the page asks about what was opened last, and discards all", () => {
  const discarded: string[] = [];
  open("first", discarded);
  open("second", discarded);
  confirmLeave(() => discarded.push("left"));
  expect(currentQuestion()?.loss.title).toBe("second");
  currentQuestion()?.discardAndLeave();
  expect(discarded).toEqual(["second", "first", "left"]);
});

test("only input without a draft would be lost with the page when the session has ended", () => {
  const input = { dialog: null, describe: () => ({ title: "", text: "" }), discard: () => {} };
  unregister.push(registerUnsaved({ ...input, isDrafted: true }));
  unregister.push(registerUnsaved({ ...input, describe: () => null }));
  expect(isAnythingUndrafted()).toBe(false);
  unregister.push(registerUnsaved(input));
  expect(isAnythingUndrafted()).toBe(true);
});
