import { expect, test } from "bun:test";
import { type CallState, type Message, newCallState } from "../messages/message";
import {
  cutForAnswer,
  moveMessage,
  newPane,
  newWorkbench,
  type Pane,
  withoutReturned,
  withReturned,
  withToolReply,
  withWritten,
} from "./pane";

const pane = (...messages: Message[]): Pane => ({ ...newPane("m"), messages });
const user = (id: string): Message => ({ id, role: "user", text: id });
const answer = (id: string, call: Partial<CallState> = {}): Message => ({
  id,
  role: "assistant",
  text: call.state === "refused" ? "" : id,
  call: { ...newCallState("m", {}), state: "finished", ...call },
});
const ids = ({ messages }: Pane) => messages.map(({ id }) => id).join("");

test("an answer is asked again from a message on, or in the place of an answer", () => {
  const whole = pane(user("a"), answer("b"), user("c"), answer("d"));
  expect(ids(cutForAnswer(whole, "a"))).toBe("a");
  expect(ids(cutForAnswer(whole, "b"))).toBe("a");
  expect(ids(cutForAnswer(whole, "c"))).toBe("abc");
});

test("a message moves by one place, and never beyond the first or last", () => {
  const whole = pane(user("a"), user("b"));
  expect(ids(moveMessage(whole, "b", -1))).toBe("ba");
  expect(ids(moveMessage(whole, "a", -1))).toBe("ab");
  expect(ids(moveMessage(whole, "b", 1))).toBe("ab");
});

const refused = (text: string) => pane(user("a"), answer("b"), user(text), answer("d", { state: "refused" }));
const refusedBy = (...panes: Pane[]) => ({ ...newWorkbench("m"), panes });
const texts = ({ panes }: { panes: readonly Pane[] }) =>
  panes.map(({ messages }) => messages.map(({ text }) => text).join());

test("the next message replaces a refused one only if the composer got that one back", () => {
  const workbench = refusedBy(refused("c"), refused("c"));
  const returned = withReturned(workbench, "c");
  expect(returned.draft).toBe("c");
  expect(texts(withWritten({ ...returned, draft: "corrected" }, "corrected", []))).toEqual([
    "a,b,corrected",
    "a,b,corrected",
  ]);
  expect(texts(withWritten(workbench, "next", []))).toEqual(["a,b,c,,next", "a,b,c,,next"]);
});

test("a refused message stays in its pane if it isn't put back, or was edited there since", () => {
  const typing = { ...refusedBy(refused("c")), draft: "more" };
  expect(withReturned(typing, "c")).toBe(typing);
  expect(withReturned(refusedBy(refused("c"), pane(user("c"), answer("d"))), "c").draft).toBe("");
  const edited = { ...withReturned(refusedBy(refused("c")), "c"), panes: [refused("edited")] };
  expect(texts(withWritten(edited, "c", []))).toEqual(["a,b,edited,,c"]);
});

test("a message that is answered again leaves the composer, unless it was changed there", () => {
  const returned = withReturned(refusedBy(refused("c")), "c");
  expect(withoutReturned(returned).draft).toBe("");
  const changed = withoutReturned({ ...returned, draft: "c, please" });
  expect(changed.draft).toBe("c, please");
  expect(texts(withWritten(changed, "c, please", []))).toEqual(["a,b,c,,c, please"]);
});

test("replies to tool calls follow their calls, in any order", () => {
  const toolCalls = ["1", "2"].map((id) => ({ id, name: `tool${id}`, arguments: "{}" }));
  const called = pane(user("a"), { ...answer("b"), text: "", toolCalls }, user("c"));
  const both = withToolReply(withToolReply(called, "2", "second"), "1", "first");
  expect(both.messages.map(({ text }) => text)).toEqual(["a", "", "second", "first", "c"]);
});

test("what was typed since a message was sent stays in the composer", () => {
  const drafted = (draft: string) => withWritten({ ...newWorkbench("m"), draft }, "Hi", []);
  expect(["Hi", "Hi and more", "Other", ""].map((draft) => drafted(draft).draft)).toEqual([
    "",
    " and more",
    "Other",
    "",
  ]);
  expect(drafted("Hi and more").panes[0]?.messages.map(({ text }) => text)).toEqual(["Hi"]);
});
