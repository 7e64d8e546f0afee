import { expect, test } from "bun:test";
import { type Chunk, MessageEvents, pickMessageParts } from "./message-events";

/** The data of the events that a stream becomes, of short chunks and of long ones. */
function translate(chunks: readonly object[], pick: (chunk: object) => unknown) {
  const events = new MessageEvents({
    requestId: "req_1",
    model: "m",
    promptTokens: 1,
    origin: "o",
    thinking: "off",
    hasTools: false,
    toolNames: {},
    callIds: [],
    stops: [],
  });
  const text = [...chunks.map((chunk) => pick(chunk) as Chunk), "[DONE]" as const]
    .map((chunk) => events.translate(chunk))
    .join("");
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}

const call = (fields: object) => ({ choices: [{ index: 0, delta: { tool_calls: [fields] } }] });

for (const [length, pick] of [
  ["short", (chunk: object) => chunk],
  ["long", pickMessageParts],
] as const) {
  test(`the only answer needs no index: ${length} chunks`, () => {
    const events = translate([{ choices: [{ delta: { content: "hi" } }] }], pick);
    expect(events).toContainEqual(expect.objectContaining({ delta: { type: "text_delta", text: "hi" } }));
  });

  test(`arguments that are an object are written as JSON: ${length} chunks`, () => {
    const events = translate([call({ id: "c", function: { name: "f", arguments: { a: 1 } } })], pick);
    expect(events).toContainEqual(
      expect.objectContaining({ delta: { type: "input_json_delta", partial_json: '{"a":1}' } }),
    );
  });

  test.each([
    ["choices that are no list", { choices: { 0: "x" } }],
    ["choices that are nothing", { choices: [null, { index: 0, delta: null }] }],
    ["tool calls that are no list", { choices: [{ delta: { tool_calls: { 0: "x" } } }] }],
    ["tool calls that are nothing", { choices: [{ delta: { tool_calls: [null] } }] }],
  ])(`%s end no stream: ${length} chunks`, (_what, chunk) => {
    const events = translate([chunk, { choices: [{ delta: { content: "hi" } }] }], pick);
    expect(events).toContainEqual(expect.objectContaining({ delta: { type: "text_delta", text: "hi" } }));
  });

  test(`calls whose id comes late have one to answer to, each its own: ${length} chunks`, () => {
    const events = translate(
      [
        call({ index: 0, function: { name: "f", arguments: "" } }),
        call({ index: 0, id: "late", function: { arguments: "{}" } }),
        call({ index: 1, function: { name: "f", arguments: "{}" } }),
      ],
      pick,
    );
    const ids = events.flatMap(({ content_block }) => content_block?.id ?? []);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain("");
  });
}
