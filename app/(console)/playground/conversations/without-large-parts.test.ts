import { expect, test } from "bun:test";
import { type Message, newCallState } from "@/components/playground/messages/message";
import { newWorkbench } from "@/components/playground/workbench";
import { withoutLargeParts } from "./without-large-parts";

test("the tab keeps short requests and replies, and leaves out long ones", () => {
  const reply = (body: string) => ({ status: 200, headers: [], body, isCut: false });
  const answered = (id: string, body: string): Message => ({
    id,
    role: "assistant",
    text: id,
    call: { ...newCallState("m", { messages: [] }), reply: reply(body) },
  });
  const long = "x".repeat(30_000);
  const messages: Message[] = [
    { id: "a", role: "user", text: "Hi" },
    answered("b", "short"),
    { id: "c", role: "user", text: long },
    answered("d", long),
  ];
  const [first] = newWorkbench("m").panes;
  if (!first) throw new Error("a pane");
  const kept = withoutLargeParts({ ...newWorkbench("m"), panes: [{ ...first, messages }] });
  const calls = kept.panes[0]?.messages.flatMap(({ run }) => run ?? []);
  expect(calls?.map(({ request, reply: raw }) => [request !== null, raw !== null])).toEqual([
    [true, true],
    [false, false],
  ]);
  expect(kept.panes[0]?.messages.map(({ text }) => text)).toEqual(["Hi", "b", long, "d"]);
});
