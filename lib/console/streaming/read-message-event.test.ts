import { expect, test } from "bun:test";
import { MessageReader } from "./stream-chat";

test("a tool call without input in a whole message has no arguments, in the form that is saved", () => {
  const content = [{ type: "tool_use", id: "t1", name: "now" }];
  const message = { type: "message", role: "assistant", content, stop_reason: "tool_use" };
  expect([...new MessageReader().read(message, null)]).toContainEqual({
    type: "tool_call",
    index: 0,
    id: "t1",
    name: "now",
    arguments: "{}",
  });
});
