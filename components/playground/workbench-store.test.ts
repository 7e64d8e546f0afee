import { expect, test } from "bun:test";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { CallActions } from "./answers/call-actions";
import { restoreWorkbench } from "./conversations/restore-workbench";
import { toContent } from "./conversations/saved-content";
import type { Attachment, Message } from "./messages/message";
import { newWorkbench, type Workbench } from "./workbench";
import { WorkbenchStore } from "./workbench-store";

const talk: Attachment = {
  name: "talk.mp3",
  mimeType: "audio/mpeg",
  kind: "audio",
  data: "A".repeat(500_000),
};
const hello: Attachment = { ...talk, name: "hello.mp3", data: "AAAA" };
const said = (...attachments: Attachment[]): Message => ({
  id: "a",
  role: "user",
  text: "Listen",
  attachments,
});
const later: Message = { id: "b", role: "user", text: "And this?" };

/** The conversation as it is after a reload. */
function reload(model: string, ...messages: Message[]): Workbench {
  const workbench = newWorkbench(model);
  const saved = toContent({ ...workbench, panes: workbench.panes.map((pane) => ({ ...pane, messages })) });
  const restored = restoreWorkbench(saved ?? {});
  if (!restored) throw new Error("The conversation was not saved");
  return restored;
}

/**
 * Asks a pane for its answer.
 * @returns the bodies that were sent, and why it was refused if nothing was.
 */
async function answer(workbench: Workbench, models: readonly OrganizationModel[] | null) {
  const sent: unknown[] = [];
  const startStream = (open: (id: string) => unknown) => {
    open("stream");
    return { ended: Promise.resolve(), stop: async () => null };
  };
  const send = (_id: string, input: unknown) => sent.push(input);
  const calls = { startStream, sendCall: send, sendMedia: send } as unknown as CallActions;
  const store = new WorkbenchStore(workbench, null, models, calls);
  const [pane] = workbench.panes;
  await store.answer(pane?.id ?? "");
  return { sent, refusal: store.workbench.panes[0]?.messages.at(-1)?.call?.problem?.message };
}

test("a conversation whose recording was not kept isn't sent on with an empty one, and says which to attach again", async () => {
  const { sent, refusal } = await answer(reload("m", said(talk)), null);
  expect(sent).toEqual([]);
  expect(refusal).toStartWith("talk.mp3 is no longer here");
  expect((await answer(reload("m", said(hello)), null)).sent).toHaveLength(1);
});

test("a transcription sends the last recording alone, so that an earlier one may be lost", async () => {
  const models = [{ id: "ear", family: "transcription" } as OrganizationModel];
  expect((await answer(reload("ear", said(talk)), models)).sent).toEqual([]);
  expect((await answer(reload("ear", said(talk), { ...said(hello), id: "b" }), models)).sent).toHaveLength(1);
  expect((await answer(reload("m", said(talk), later), null)).refusal).toContain("Delete its message");
});
