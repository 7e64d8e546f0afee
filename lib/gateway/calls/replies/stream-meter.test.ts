import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { StreamMeter } from "./stream-meter";

const createMeter = (isTokenPerEvent = false) => new StreamMeter(isTokenPerEvent, 1_000);
const event = (data: unknown) =>
  Buffer.from(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
const delta = (fields: object) =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: null }], usage: null });

test("text is counted by event, or by its bytes where an event brings several tokens", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 40 })), (anyTexts) => {
      // The replaced characters are counted as they are escaped, by two bytes.
      const texts = anyTexts.map((text) => text.replaceAll(/["\\\b\f\n\r\t]/g, ""));
      const meter = createMeter();
      for (const content of texts) expect(meter.read(delta({ content }))).toBe("content");
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const events = texts.filter((text) => text !== "").length;
      expect(meter.completionTokens).toBe(Math.max(events, Math.ceil(bytes / 4)));
    }),
  );
});

test("a choice that ended in an error is a failure, but last words that come with it are passed on", () => {
  const readEnd = (fields: object) => {
    const meter = createMeter(true);
    meter.read(delta({ content: "first" }));
    const role = meter.read(event({ choices: [{ index: 0, delta: fields, finish_reason: "error" }] }));
    return [role, meter.completionTokens];
  };
  expect(readEnd({ content: "last" })).toEqual(["content", 2]);
  expect(readEnd({ content: "" })).toEqual(["error", 1]);
  expect(readEnd({})).toEqual(["error", 1]);
  expect(readEnd({ reasoning: "last" })).toEqual(["error", 2]);
});

describe("the end of an answer", () => {
  const finishing = (fields: object, finish_reason: unknown, index = 0) =>
    event({ choices: [{ index, delta: fields, finish_reason }] });

  test.each([
    ["in a chunk of its own", finishing({}, "stop"), true],
    ["beside the last words", finishing({ content: "b" }, "stop"), true],
    ["before the last words", event('{"choices":[{"finish_reason": "stop","delta":{"content":"b"}}]}'), true],
    ["that is unknown", finishing({}, "because"), true],
    ["of null", finishing({ content: "b" }, null), false],
    ["that is empty", finishing({ content: "b" }, ""), false],
    ["in the model's words", finishing({ content: '"finish_reason":"stop"' }, null), false],
  ])("is a finish reason %s", (_, last, isFinished) => {
    const meter = createMeter();
    meter.read(delta({ content: "a" }));
    meter.read(delta({ content: "a" }));
    expect(meter.isFinished).toBe(false);
    meter.read(last);
    meter.read(delta({ content: "" }));
    expect(meter.isFinished).toBe(isFinished);
  });

  test("needs one for each choice that began", () => {
    const meter = new StreamMeter(false, 1_000, 3);
    for (const index of [0, 1, 0]) meter.read(finishing({ content: "a" }, null, index));
    meter.read(finishing({ content: "b" }, "stop", 1));
    expect(meter.isFinished).toBe(false);
    meter.read(finishing({}, "length", 0));
    expect(meter.isFinished).toBe(true);
  });
});

test("a text counts the same however its characters are written", () => {
  const texts = ["при", "вет, как", " дела?", "line\n", "a \\u0041 b", "😀"];
  const count = (write: (text: string) => string) => {
    const meter = createMeter();
    for (const text of texts.concat(texts, texts))
      meter.read(
        event(`{"choices":[{"index":0,"delta":{"content":"${write(text)}"},"finish_reason":null}]}`),
      );
    return meter.completionTokens;
  };
  const plain = (text: string) => JSON.stringify(text).slice(1, -1);
  const escaped = (text: string) =>
    plain(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  expect(count(escaped)).toBe(count(plain));
});

test("reasoning and tool calls count as output, roles and comments do not", () => {
  const meter = createMeter(true);
  meter.read(delta({ role: "assistant", content: "" }));
  meter.read(Buffer.from(": still here\n\n"));
  meter.read(event("not JSON"));
  meter.read(event('{"delta":1}'));
  expect(meter.hasContent).toBe(false);
  meter.read(delta({ role: "assistant", content: "a" }));
  meter.read(delta({ reasoning_content: "b" }));
  meter.read(delta({ tool_calls: [{ index: 0, id: "t", function: { arguments: "{" } }] }));
  expect(meter.completionTokens).toBe(3);
});

test("usage, end and error are found however they are spaced, and never in the model's own text", () => {
  const meter = createMeter();
  expect(meter.read(delta({ content: '"usage": {"prompt_tokens": 1}, "error": {}, [DONE]' }))).toBe(
    "content",
  );
  expect(meter.reported).toBeNull();
  const spaced = 'data:{"choices":[],\ndata: "usage" : {"prompt_tokens":7, "completion_tokens":2}}\r\n\r\n';
  expect(meter.read(Buffer.from(spaced))).toBe("usage");
  expect(meter.reported).toMatchObject({ promptTokens: 7, completionTokens: 2 });
  expect(meter.read(event({ error: { message: "no" } }))).toBe("error");
  expect(meter.read(Buffer.from("data:[DONE]\r\n\r\n"))).toBe("done");
});

test("usage that comes with the last words is read, and the words stay", () => {
  const meter = createMeter();
  const last = { choices: [{ delta: { content: "a" } }], usage: { prompt_tokens: 7, completion_tokens: 2 } };
  expect(meter.read(event(last))).toBe("content");
  expect(meter.reported?.completionTokens).toBe(2);
});

test("a chunk is read as JSON, however it is spelled", () => {
  const content = "four words of text";
  const spellings = [
    `{"choices":[{"index":0,"delta" : {"content":"${content}"}}]}`,
    `{"choices":[{"index":0,"\\u0064elta":{"content":"${content}"}}]}`,
    `{"choices":[{"index":0,"delta":{"c\\u006fntent":"${content}"}}]}`,
    `{"choices":[{"delta":{"content":"a"},"delta" :{"content":"${content}"}}]}`,
    `{"choices":[{"delta" :{"content":"${content}"}},{"delta":{"content":""}}]}`,
    `{"choices":[{"delta":{"content":""}},{"delta" :{"content":"${content}"}}]}`,
    `{"choices":[\ndata: {"delta":\ndata: {"content":"${content}"}}]}`,
  ];
  for (const spelling of spellings) {
    const meter = createMeter();
    meter.read(event(spelling));
    expect([spelling, meter.completionTokens]).toEqual([spelling, Math.ceil(content.length / 4)]);
  }
});

test("a usage in any spelling is found beside text, and is the last word only until more text comes", () => {
  const meter = createMeter();
  const usage = '"us\\u0061ge" :{"prompt_tokens":7,"completion_tokens":1}';
  meter.read(event(`{"choices":[{"delta":{"content":"a"}}],${usage}}`));
  expect(meter.reported).toMatchObject({ promptTokens: 7, completionTokens: 1 });
  expect(meter.isReportedLast).toBe(true);
  meter.read(delta({}));
  expect(meter.isReportedLast).toBe(true);
  meter.read(delta({ content: "b" }));
  expect(meter.isReportedLast).toBe(false);
});

test("a provider that writes on after its most is noticed, by events or by bytes", () => {
  const meter = new StreamMeter(false, 3);
  for (const content of ["one ", "two ", "internationalization"]) meter.read(delta({ content }));
  expect(meter.exceedsLimit).toBe(false);
  meter.read(delta({ content: "four" }));
  expect(meter.exceedsLimit).toBe(true);
  expect(meter.completionTokens).toBe(3);
  const bulky = new StreamMeter(false, 3);
  bulky.read(delta({ content: "word ".repeat(100) }));
  expect(bulky.exceedsLimit).toBe(true);
});

const LONG = "A".repeat(6_000);

test.each([
  [
    "a tool call's signature",
    {
      tool_calls: [
        { function: { name: "w", arguments: "{}" }, extra_content: { google: { thought_signature: LONG } } },
      ],
    },
  ],
  ["encrypted reasoning", { content: "w", reasoning_details: [{ type: "reasoning.encrypted", data: LONG }] }],
  ["citations", { content: "w", annotations: [{ type: "url_citation", url_citation: { url: LONG } }] }],
])("%s isn't what the model wrote", (_, fields) => {
  const meter = new StreamMeter(false, 3);
  meter.read(delta(fields));
  expect([meter.completionTokens, meter.exceedsLimit]).toEqual([1, false]);
});

test.each([
  ["a refusal", { refusal: "four words of text" }],
  ["reasoning", { reasoning: "four words of text" }],
  ["reasoning under two names", { reasoning: "four words of text", reasoning_content: "four words of text" }],
  [
    "content in parts",
    {
      content: [
        { type: "text", text: "four words" },
        { type: "thinking", thinking: [{ type: "text", text: " of text" }] },
      ],
    },
  ],
  ["a custom tool's input", { tool_calls: [{ custom: { name: "four", input: " words of text" } }] }],
  ["arguments that are an object", { tool_calls: [{ function: { arguments: { a: "four words" } } }] }],
  ["a function call", { function_call: { name: "four", arguments: " words of text" } }],
  ["a transcript", { audio: { id: LONG, transcript: "four words of text" } }],
])("%s counts by its length, once", (_, fields) => {
  const meter = createMeter();
  meter.read(delta(fields));
  expect(meter.completionTokens).toBe(5);
});

test("speech counts twenty tokens a second, however short its pieces are", () => {
  const second = Buffer.alloc(48_000).toString("base64");
  const meter = new StreamMeter(false, 20);
  for (let at = 0; at < second.length; at += 100)
    meter.read(delta({ audio: { data: second.slice(at, at + 100) } }));
  expect([meter.hasContent, meter.completionTokens, meter.exceedsLimit]).toEqual([true, 20, false]);
  for (let more = 0; more < 8; more++) meter.read(delta({ audio: { data: second } }));
  expect(meter.exceedsLimit).toBe(true);
});

const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${LONG}` } };

test.each([
  ["speech", { audio: { data: "AAAA" } }],
  ["a picture", { images: [picture] }],
])("a usage is not the last word where %s follows", (_, fields) => {
  const meter = createMeter();
  meter.read(event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 1 } }));
  meter.read(delta(fields));
  expect(meter.isReportedLast).toBe(false);
});

test.each([
  ["in a list of their own", { content: "", images: [picture, picture] }],
  ["among the parts of the content", { content: [picture, { type: "text", text: "" }, picture] }],
])("pictures %s count a fixed number of tokens, up to the limit, and never exceed it", (_, fields) => {
  const meter = new StreamMeter(false, 3_000);
  meter.read(delta(fields));
  expect([meter.hasContent, meter.completionTokens, meter.exceedsLimit]).toEqual([true, 2_580, false]);
  meter.read(delta(fields));
  expect([meter.completionTokens, meter.exceedsLimit]).toEqual([3_000, false]);
});

test("speech is counted apart from the text beside it", () => {
  const meter = createMeter();
  meter.read(delta({ content: "four words of text" }));
  meter.read(delta({ audio: { data: "A".repeat(6_400) } }));
  expect(meter.counted).toEqual({
    completionTokens: 7,
    audio: { promptTokens: 0, completionTokens: 2 },
  });
});
