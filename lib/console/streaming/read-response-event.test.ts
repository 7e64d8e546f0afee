import { expect, test } from "bun:test";
import type { ChatEvent } from "./chat-event";
import { ResponseReader } from "./read-response-event";

function read(...events: object[]): ChatEvent[] {
  const reader = new ResponseReader();
  return events.flatMap((event) => [...reader.read(event, "req_1")]);
}

const added = (output_index: number, item: object) => ({
  type: "response.output_item.added",
  output_index,
  item,
});
const delta = (type: string, output_index: number, words: string, more: object = {}) => ({
  type: `response.${type}.delta`,
  output_index,
  content_index: 0,
  delta: words,
  ...more,
});
const usage = {
  input_tokens: 9,
  output_tokens: 7,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens_details: { reasoning_tokens: 5 },
};
const ended = (status: string, more: object = {}) => ({
  type: `response.${status}`,
  response: { object: "response", status, output: [], usage, ...more },
});
const counted = {
  type: "usage",
  promptTokens: 9,
  completionTokens: 7,
  totalTokens: 16,
  cachedTokens: 4,
  reasoningTokens: 5,
};

test("each part of a summary and each message begins a paragraph", () => {
  const events = read(
    { type: "response.created", response: { status: "in_progress", usage: null } },
    added(0, { type: "reasoning", summary: [] }),
    delta("reasoning_summary_text", 0, "First", { summary_index: 0 }),
    delta("reasoning_summary_text", 0, " this", { summary_index: 0 }),
    delta("reasoning_summary_text", 0, "Then that", { summary_index: 1 }),
    added(1, { type: "message", role: "assistant", content: [] }),
    delta("output_text", 1, "Let me "),
    delta("output_text", 1, "look."),
    added(2, { type: "message", role: "assistant", content: [] }),
    delta("output_text", 2, "It rains."),
    ended("completed"),
  );
  const join = (type: string) => events.map((one) => (one.type === type && "text" in one ? one.text : ""));
  expect(join("thinking").join("")).toBe("First this\n\nThen that");
  expect(join("text").join("")).toBe("Let me look.\n\nIt rains.");
  expect(events.slice(-2)).toEqual([{ type: "finish", reason: "completed" }, counted] as ChatEvent[]);
});

test("calls of tools come in pieces, by their place among the items", () => {
  const call = { type: "function_call", call_id: "c1", name: "weather", arguments: "" };
  const events = read(
    added(3, call),
    delta("function_call_arguments", 3, '{"city":'),
    delta("function_call_arguments", 3, '"Bern"}'),
  );
  expect(events).toEqual([
    { type: "tool_call", index: 3, id: "c1", name: "weather", arguments: "" },
    { type: "tool_call", index: 3, id: null, name: null, arguments: '{"city":' },
    { type: "tool_call", index: 3, id: null, name: null, arguments: '"Bern"}' },
  ]);
});

test.each([
  [[delta("refusal", 0, "I can’t.")], ended("completed"), "refusal"],
  [[], ended("incomplete", { incomplete_details: { reason: "max_output_tokens" } }), "max_output_tokens"],
  [[], ended("incomplete", { incomplete_details: null }), "incomplete"],
])("an answer tells why it lacks something (%#)", (before, end, reason) => {
  expect(read(...before, end)).toContainEqual({ type: "finish", reason });
});

test.each([
  [{ type: "error", code: "overloaded", message: "The provider failed.", sequence_number: 4 }],
  [ended("failed", { usage: null, error: { code: "overloaded", message: "The provider failed." } })],
  [{ error: { message: "The provider failed.", type: "service_error" } }],
])("a failure is shown in its words (%#)", (event) => {
  const [problem] = read(event);
  expect(problem).toMatchObject({
    type: "problem",
    problem: { message: "The provider failed.", requestId: "req_1" },
  });
});

test("sealed reasoning comes as it is sent back, and tools of other kinds as they are", () => {
  const done = (item: object) => ({ type: "response.output_item.done", output_index: 0, item });
  const sealed = { type: "reasoning", summary: [], encrypted_content: "x" };
  const search = { id: "ws_1", type: "web_search_call", status: "completed", action: { query: "q" } };
  const output = [
    { ...sealed, id: "rs_1", status: "completed" },
    { type: "reasoning", id: "rs_2", summary: [] },
    search,
    { type: "image_generation_call", result: "A".repeat(300_000) },
  ];
  const items = [sealed, search].map((item) => ({ type: "item", item }) as ChatEvent);
  expect(read(...output.map(done))).toEqual(items);
  const whole = read({ object: "response", status: "completed", output, usage: null });
  expect(whole.filter(({ type }) => type === "item")).toEqual(items);
});

test("a whole response reads as its stream does", () => {
  const output = [
    { type: "reasoning", summary: [{ type: "summary_text", text: "Hm" }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "It rains" }] },
    { type: "function_call", call_id: "c1", name: "weather", arguments: "{}" },
  ];
  expect(read({ object: "response", status: "completed", output, usage })).toEqual([
    { type: "thinking", text: "Hm" },
    { type: "text", text: "It rains" },
    { type: "tool_call", index: 2, id: "c1", name: "weather", arguments: "{}" },
    { type: "finish", reason: "completed" },
    counted,
  ] as ChatEvent[]);
});

test.each([7, null, "text", {}, { choices: [] }])("%j is not taken for a response", (odd) => {
  expect([...new ResponseReader().read(odd, null)]).toMatchObject([{ type: "problem" }]);
});
