import { expect, test } from "bun:test";
import { newRun } from "../messages/message";
import { newWorkbench, type Workbench } from "../panes/pane";
import { contentOf, isBlank, titleOf, workbenchFromContent } from "./saved-content";

const said = (text: string): Workbench => {
  const workbench = newWorkbench("m");
  const [pane] = workbench.panes;
  if (!pane) throw new Error("a pane");
  const run = {
    ...newRun("m", { model: "m" }),
    reply: { status: 200, headers: [], body: "x", isCut: false },
  };
  const messages = [
    { id: "1", role: "user" as const, text },
    { id: "2", role: "assistant" as const, text: "yes", run },
  ];
  return { ...workbench, panes: [{ ...pane, messages }] };
};

test("restores a saved conversation without its raw requests and replies", () => {
  const workbench = said("Why?");
  const back = workbenchFromContent(JSON.parse(JSON.stringify(contentOf(workbench))));
  expect(back?.panes[0]?.messages[0]).toEqual(workbench.panes[0]?.messages[0] as never);
  expect(back?.panes[0]?.messages[1]?.run).toMatchObject({ request: null, reply: null, model: "m" });
});

test("does not save an oversized conversation, nor open one of another form", () => {
  expect(contentOf(said("x".repeat(2_000_000)))).toBeNull();
  expect(workbenchFromContent({ format: 2 })).toBeNull();
  expect(workbenchFromContent({ format: 1, panes: [] })).toBeNull();
  const saved = JSON.parse(JSON.stringify(contentOf(said("x"))));
  saved.panes[0].messages[0].attachments = [
    { name: "a", kind: "image", mimeType: "image/png", data: 'x"), url("https://other.example' },
  ];
  expect(workbenchFromContent(saved)).toBeNull();
});

test("a conversation is named by what it begins with", () => {
  expect(titleOf(said("  two\nlines "))).toBe("two lines");
  expect(titleOf({ ...newWorkbench("m"), draft: "half a thou" })).toBe("half a thou");
  expect(isBlank(newWorkbench("m"))).toBe(true);
  expect(isBlank(said("a"))).toBe(false);
});
