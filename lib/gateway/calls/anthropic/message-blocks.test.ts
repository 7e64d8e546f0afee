import { expect, test } from "bun:test";
import { describeStop, MessageBlocks, type StreamedBlock, toAnthropicUsage } from "./message-blocks";

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

const describe = (choice: object, more: object = {}) =>
  describeStop(choice, { stops: ["END", "\n\n"], callsTools: false, isRefused: false, ...more });

test("a provider's own reason ends the turn, whatever word it is", () => {
  for (const finish_reason of ["eos", "constructor", "__proto__", null]) {
    expect(describe({ finish_reason }).stop_reason).toBe("end_turn");
    expect(describe({ finish_reason }, { callsTools: true }).stop_reason).toBe("tool_use");
  }
});

test.each([
  [{ finish_reason: "length" }, "max_tokens", null],
  [{ finish_reason: "MAX_TOKENS" }, "max_tokens", null],
  [{ finish_reason: "content_filter" }, "refusal", null],
  [{ finish_reason: "function_call" }, "tool_use", null],
  [{ finish_reason: "pause_turn" }, "pause_turn", null],
  [{ finish_reason: "stop", stop_reason: "END" }, "stop_sequence", "END"],
  [{ finish_reason: "stop", matched_stop: "\n\n" }, "stop_sequence", "\n\n"],
  [{ finish_reason: "stop_sequence", stop_sequence: "END" }, "stop_sequence", "END"],
  [{ finish_reason: "stop", native_finish_reason: "stop_sequence" }, "stop_sequence", null],
  [{ finish_reason: "stop", stop_reason: 128_009 }, "end_turn", null],
  [{ finish_reason: "stop", stop_reason: "end_turn" }, "end_turn", null],
  [{ finish_reason: "length", stop_reason: "END" }, "max_tokens", null],
])(
  "a choice that ended as %j has Anthropic's reason and the text that ended it",
  (choice, reason, sequence) => {
    expect(describe(choice)).toEqual({ stop_reason: reason, stop_sequence: sequence });
  },
);

test("the only stop sequence is the one that ended an answer, and a refusal stays one", () => {
  const only = describe({ finish_reason: "stop", native_finish_reason: "stop_sequence" }, { stops: ["END"] });
  expect(only).toEqual({ stop_reason: "stop_sequence", stop_sequence: "END" });
  expect(describe({ finish_reason: "stop" }, { isRefused: true }).stop_reason).toBe("refusal");
});

test("a usage has the cached tokens apart from the input, the thinking, and the tier", () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 50,
    prompt_tokens_details: { cached_tokens: 70, cache_write_tokens: 20 },
    completion_tokens_details: { reasoning_tokens: 40 },
  };
  expect(toAnthropicUsage(usage, "default")).toEqual({
    input_tokens: 10,
    cache_creation_input_tokens: 20,
    cache_read_input_tokens: 70,
    cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 0 },
    output_tokens: 50,
    output_tokens_details: { thinking_tokens: 40 },
    service_tier: "standard",
  });
  expect(toAnthropicUsage({ prompt_tokens: 3, completion_tokens: 2 }, "flex")).toEqual({
    input_tokens: 3,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 2,
  });
});
