import { expect, test } from "bun:test";
import type { Message } from "@/components/playground/messages/message";
import { newPane, type Pane, withToolReply } from "@/components/playground/panes/pane";
import { newWorkbench } from "@/components/playground/workbench";
import { findRefused } from "./refused-pane";

const pane = (...messages: Message[]): Pane => ({ ...newPane("m"), messages });
const holding = (only: Pane) => ({ ...newWorkbench("m"), panes: [only] });
const asked: Message = { id: "a", role: "user", text: "a" };
const answered: Message = { id: "b", role: "assistant", text: "b" };

test("a conversation whose files together are too large for a request is refused before it is sent", () => {
  const image = { name: "a.png", mimeType: "image/png", kind: "image" as const, data: "A".repeat(8_000_000) };
  const sent = holding(pane({ ...asked, attachments: [image] }, answered));
  expect(findRefused(sent, [], null)).toBeNull();
  expect(findRefused(sent, [image], null)?.faults.message).toContain("larger than 15 MiB");
});

test("nothing is sent while the reply to a tool call is missing", () => {
  const toolCalls = ["1", "2"].map((id) => ({ id, name: `tool${id}`, arguments: "{}" }));
  const called = pane(asked, { ...answered, text: "", toolCalls }, { ...asked, id: "c" });
  const one = withToolReply(called, "2", "second");
  const both = withToolReply(one, "1", "first");
  const findFault = (only: Pane) => findRefused(holding(only), [], null)?.faults.message ?? null;
  expect([called, one, both].map(findFault)).toEqual([
    "Enter the results of the 2 open tool calls first.",
    "Enter the result of tool1 first.",
    null,
  ]);
});

test("a message whose recording was not kept is refused, and says which to attach again", () => {
  const talk = { name: "talk.mp3", mimeType: "audio/mpeg", kind: "audio" as const };
  const findFault = (data: string) =>
    findRefused(holding(pane({ ...asked, attachments: [{ ...talk, data }] })), [], null)?.faults.message;
  expect(findFault("")).toStartWith("talk.mp3 is no longer here");
  expect(findFault("AAAA")).toBeUndefined();
});
