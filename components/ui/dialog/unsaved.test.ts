import { afterEach, expect, test } from "bun:test";
import {
  confirmLeave,
  currentQuestion,
  isAnythingUndrafted,
  keepEditing,
  registerSave,
  registerUnsaved,
  type UnsavedInput,
} from "./unsaved";

const unregister: (() => void)[] = [];
afterEach(() => {
  keepEditing();
  for (const leave of unregister.splice(0)) leave();
});

function discardAndLeave() {
  const question = currentQuestion();
  if (question && !question.isSaving) question.discardAndLeave();
}

function open(title: string, discarded: string[]): UnsavedInput {
  const input = { dialog: null, describe: () => ({ title, text: "" }), discard: () => discarded.push(title) };
  unregister.push(registerUnsaved(input));
  return input;
}

test("leaving one input asks about that one alone, and discards no other", () => {
  const discarded: string[] = [];
  const [first] = [open("first", discarded), open("second", discarded)];
  confirmLeave(() => discarded.push("left"), first);
  expect(currentQuestion()).toMatchObject({ loss: { title: "first" } });
  expect(discarded).toEqual([]);
  discardAndLeave();
  expect(discarded).toEqual(["first", "left"]);
});

test("leaving the page asks about what was opened last, and discards all", () => {
  const discarded: string[] = [];
  open("first", discarded);
  open("second", discarded);
  confirmLeave(() => discarded.push("left"));
  expect(currentQuestion()).toMatchObject({ loss: { title: "second" } });
  discardAndLeave();
  expect(discarded).toEqual(["second", "first", "left"]);
});

/** An input that is unsaved until its save ends. */
function openSaved(events: string[]) {
  let isUnsaved = true;
  const input: UnsavedInput = {
    dialog: null,
    describe: () => (isUnsaved ? { title: "limits", text: "" } : null),
    discard: () => events.push("discarded"),
  };
  unregister.push(registerUnsaved(input));
  const endSave = registerSave();
  unregister.push(endSave);
  return (isSaved: boolean) => {
    isUnsaved = !isSaved;
    endSave();
  };
}

test("leaving during a save waits for it and asks nothing once it is saved", async () => {
  const events: string[] = [];
  const end = openSaved(events);
  confirmLeave(() => events.push("left"));
  expect([currentQuestion(), events]).toEqual([{ isSaving: true }, []]);
  end(true);
  await Promise.resolve();
  expect([currentQuestion(), events]).toEqual([null, ["left"]]);
});

test("leaving during a save that is refused asks about the input afterwards", async () => {
  const events: string[] = [];
  const end = openSaved(events);
  confirmLeave(() => events.push("left"));
  end(false);
  await Promise.resolve();
  expect(currentQuestion()).toMatchObject({ loss: { title: "limits" } });
  expect(events).toEqual([]);
});

test("a leave that is taken back during a save doesn't happen after it", async () => {
  const events: string[] = [];
  const end = openSaved(events);
  confirmLeave(() => events.push("left"));
  keepEditing();
  end(true);
  await Promise.resolve();
  expect([currentQuestion(), events]).toEqual([null, []]);
});

test("only input without a draft would be lost with the page when the session has ended", () => {
  const input = { dialog: null, describe: () => ({ title: "", text: "" }), discard: () => {} };
  unregister.push(registerUnsaved({ ...input, isDrafted: true }));
  unregister.push(registerUnsaved({ ...input, describe: () => null }));
  expect(isAnythingUndrafted()).toBe(false);
  unregister.push(registerUnsaved(input));
  expect(isAnythingUndrafted()).toBe(true);
});
