import { expect, test } from "bun:test";
import { type Attachment, refusedMessage } from "@/components/playground/messages/message";
import { newPane } from "@/components/playground/panes/pane";
import { newWorkbench, type Workbench } from "@/components/playground/workbench";
import { listMessagesForCode } from "./code-dialog";
import { listPreviewCalls } from "./use-preview";

const paper: Attachment = { name: "a.pdf", mimeType: "application/pdf", kind: "document", data: "QUJD" };
const large: Attachment = { ...paper, data: "A".repeat(500_000) };
const file = { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,QUJD" } };
const draft = (text: string): Workbench => ({ ...newWorkbench("m"), draft: text });
const contents = (workbench: Workbench, attachments: readonly Attachment[]) =>
  listPreviewCalls(workbench, null, attachments).map(({ body }) =>
    (body as { messages: { content: unknown }[] }).messages.map(({ content }) => content),
  );

test("the estimate is of the message with its files, and of files alone", () => {
  expect(contents(draft("Hi"), [])).toEqual([["Hi"]]);
  expect(contents(draft("Hi"), [paper])).toEqual([[[{ type: "text", text: "Hi" }, file]]]);
  expect(contents(draft(""), [paper])).toEqual([[[file]]]);
  expect(contents(draft(""), [])).toEqual([]);
});

test("the code is of the message with its files, too", () => {
  const workbench = draft("");
  const [pane = newPane("m")] = workbench.panes;
  expect(listMessagesForCode(workbench, pane, [paper])).toMatchObject([{ text: "", attachments: [paper] }]);
  expect(listMessagesForCode(workbench, pane, [])).toMatchObject([{ text: "Hello" }]);
});

test("a message whose files are too large for a preview has no estimate, also beside panes that have one", () => {
  expect(contents(draft("Hi"), [large])).toEqual([]);
  const written = { id: "1", role: "user" as const, text: "See", attachments: [large] };
  const both = { ...draft("Hi"), panes: [newPane("a"), { ...newPane("b"), messages: [written] }] };
  expect(contents(both, [])).toEqual([]);
});

test("a message that was refused everywhere is not counted twice when it is sent again", () => {
  const written = { id: "1", role: "user" as const, text: "Hi" };
  const messages = [written, refusedMessage("2", "m", "Too many")];
  const refused = { ...draft("Hi"), returned: "Hi", panes: [{ ...newPane("m"), messages }] };
  expect(contents(refused, [])).toEqual([["Hi"]]);
});
