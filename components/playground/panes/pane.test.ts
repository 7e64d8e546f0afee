import { expect, test } from "bun:test";
import { type Message, newCallState } from "../messages/message";
import { cutForAnswer, moveMessage, newPane, type Pane, withToolReply } from "./pane";

const pane = (...messages: Message[]): Pane => ({ ...newPane("m"), messages });
const user = (id: string): Message => ({ id, role: "user", text: id });
const answer = (id: string): Message => ({
  id,
  role: "assistant",
  text: id,
  call: { ...newCallState("m", {}), state: "finished" },
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

test("replies to tool calls follow their calls, in any order", () => {
  const toolCalls = ["1", "2"].map((id) => ({ id, name: `tool${id}`, arguments: "{}" }));
  const called = pane(user("a"), { ...answer("b"), text: "", toolCalls }, user("c"));
  const both = withToolReply(withToolReply(called, "2", "second"), "1", "first");
  expect(both.messages.map(({ text }) => text)).toEqual(["a", "", "second", "first", "c"]);
});
