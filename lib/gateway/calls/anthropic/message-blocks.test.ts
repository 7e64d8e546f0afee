import { expect, test } from "bun:test";
import { MessageBlocks, type StreamedBlock } from "./message-blocks";

const callOf = (id: string): StreamedBlock => ({
  start: { type: "tool_use", id, name: id, input: {} },
  text: "",
});
const countEvents = (events: string) => events.split("event: ").length - 1;

test("a tool call isn't kept back behind one that is whole, but behind one that isn't", () => {
  const blocks = new MessageBlocks();
  const [first, second, third] = [callOf("a"), callOf("b"), callOf("c")];
  blocks.add(first, '{"x":');
  blocks.add(first, "1}");
  expect(countEvents(blocks.add(second, '{"y":'))).toBe(3);
  expect(blocks.add(third, "{}")).toBe("");
  expect(countEvents(blocks.add(second, "2}"))).toBe(1);
  expect(countEvents(blocks.end())).toBe(4);
});

test("what follows a closed input opens no further block", () => {
  const blocks = new MessageBlocks();
  const [first, second] = [callOf("a"), callOf("b")];
  blocks.add(first, "{}");
  blocks.add(second, "{");
  expect(blocks.add(first, "\n")).toBe("");
  expect(countEvents(blocks.end())).toBe(1);
});
