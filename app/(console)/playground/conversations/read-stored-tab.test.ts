import { expect, mock, test } from "bun:test";
import { createConversation } from "@/components/playground/conversations/open-conversation";
import { hashContent } from "@/components/playground/conversations/saved-content";
import { toStoredWorkbench } from "@/components/playground/conversations/stored-workbench";
import { type CallState, newCallState } from "@/components/playground/messages/message";
import { newPane } from "@/components/playground/panes/pane";
import { newWorkbench } from "@/components/playground/workbench";

// Server actions, which autosave refers to, import it.
mock.module("server-only", () => ({}));
const { readStoredTab } = await import("./use-autosave");

const workbench = { ...newWorkbench("m"), draft: "half a thought" };
const conversation = { ...createConversation(), known: ["a"] };
const store = (values: object) => readStoredTab(JSON.parse(JSON.stringify(values)));

test("a tab finds what it stored, and knows the content that it may have sent", () => {
  const saving = { ...conversation, state: { kind: "saving" as const } };
  const tab = store({ workbench, conversation: saving });
  expect(tab?.workbench).toEqual(workbench);
  expect(tab?.conversation).toEqual({
    ...conversation,
    known: ["a", hashContent(workbench)],
    state: { kind: "unsaved" },
  });
  const saved = { ...conversation, state: { kind: "saved" } };
  expect(store({ workbench, conversation: saved })?.conversation.state).toEqual({ kind: "saved" });
});

test("a tab finds the answers that it stored before an update of the console", () => {
  const run = { ...newCallState("m", {}), state: "finished" };
  const [pane] = workbench.panes;
  const panes = [{ ...pane, messages: [{ id: "a", role: "assistant", text: "yes", run }] }];
  const [found] = store({ workbench: { ...workbench, panes }, conversation })?.workbench.panes ?? [];
  expect(found?.messages).toEqual([{ id: "a", role: "assistant", text: "yes", call: run as CallState }]);
});

test("a tab finds that its calls keep running, as it stored that before an update of the console", () => {
  const found = store({ workbench: { ...workbench, goesOn: true }, conversation })?.workbench;
  expect(found).toEqual({ ...workbench, keepsRunning: true });
  expect(toStoredWorkbench({ ...workbench, keepsRunning: true })).toMatchObject({ goesOn: true });
});

test("what an earlier console stored in another shape isn't restored", () => {
  const { shared: _, ...withoutSettings } = workbench;
  const unlisted = { ...workbench, panes: { first: newPane("m") } };
  for (const other of [withoutSettings, unlisted, { ...workbench, panes: [] }, null, "text"])
    expect(store({ workbench: other, conversation })).toBeNull();
  expect(store({ workbench, conversation: { id: conversation.id } })).toBeNull();
  expect(store({})).toBeNull();
});
