import { afterAll, expect, test } from "bun:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { toNano } from "@/lib/money/amount";
import { parseJsonObject } from "../../http/json";
import { TokenCounter } from "../../providers/prompt-size/token-counter";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { PreparedChatRequest, parseChatRequest } from "../requests/chat-request";
import { PromptCounter } from "./admit-and-hold";

/** Long enough for any machine. */
const patient = { timeoutMs: 60_000, waitMs: 60_000 };
const startThread = () => new Worker(new URL("../../providers/prompt-size/token-thread.ts", import.meta.url));
const counter = new PromptCounter(() => {}, new TokenCounter(() => {}, startThread, patient));
afterAll(() => counter.close());

const routed = (...models: string[]) => ({ routes: models.map((model) => ({ provider: "p", model })) });
const counting = { kinds: ["openai" as const], speaksMessages: false, contextWindow: null, unit: null };

function prepare(body: object) {
  const text = JSON.stringify({ model: "m", ...body });
  const request = new PreparedChatRequest(
    parseChatRequest(parseJsonObject(Buffer.from(text), { entries: 1_000 })),
  );
  const coarse: AdmissionRequest = {
    projectId: "proj_1",
    keyId: "key_1",
    model: "m",
    limits: builtInRateLimits,
    price: { inputPer1m: toNano(1n), outputPer1m: toNano(1n), rate: toNano(1_000_000_000n) },
    ...request.estimate(counting),
    maxOutputTokens: 10,
    expectedOutputTokens: 10,
    choices: 1,
  };
  return { request, coarse };
}

const ask = (content: unknown) => ({ messages: [{ role: "user", content }] });
const PROSE = "Which of the four seasons do you like best, and why is that so?";

test("a prompt for a model whose tokenizer is known is counted with it, and what surrounds its messages is added", async () => {
  const { request, coarse } = prepare(ask(PROSE));
  const finer = await counter.count(routed("gpt-4o"), request, coarse);
  const exact = countTokens(PROSE) + 7;
  expect(finer.maxPromptTokens).toBeGreaterThanOrEqual(exact);
  expect(finer.maxPromptTokens).toBeLessThanOrEqual(exact + 1);
  expect(coarse.maxPromptTokens).toBeGreaterThan(5 * exact);
});

test.each([
  ["one long word", "a".repeat(20_000)],
  ["characters without spaces", "漢字仮名交じり文".repeat(2_500)],
  ["blanks", "    \n".repeat(5_000)],
  ["names of special tokens", "<|endoftext|>".repeat(100)],
])("%s is counted in time, and no fewer than it has", async (_, text) => {
  const faults: string[] = [];
  using tokens = new TokenCounter((reason) => faults.push(reason), startThread, patient);
  const count = await tokens.count("o200k_base", [text]);
  const exact = countTokens(text.slice(0, 1_000), { disallowedSpecial: new Set() });
  expect(count).toBeGreaterThanOrEqual(Math.floor((exact * text.length) / 1_000 / 2));
  expect(faults).toEqual([]);
});

test("tools and schemas are part of the prompt; numbers and names of the call are not", async () => {
  const tools = [{ type: "function", function: { name: "look_up", description: PROSE.repeat(10) } }];
  const { request, coarse } = prepare({
    ...ask("Hi"),
    tools,
    temperature: 1,
    metadata: { a: PROSE.repeat(8) },
  });
  const finer = await counter.count(routed("gpt-4o"), request, coarse);
  expect(finer.maxPromptTokens).toBeGreaterThan(countTokens(JSON.stringify(tools)));
  expect(finer.maxPromptTokens).toBeLessThan(countTokens(JSON.stringify(tools)) * 1.1 + 10);
});

test("elsewhere a prompt is bounded by what the calls of its model have shown, at first by its texts", async () => {
  const learning = new PromptCounter(() => {});
  const { request, coarse } = prepare(ask(PROSE));
  const route = routed("some-model");
  const first = await learning.count(route, request, coarse);
  expect(first.maxPromptTokens).toBeLessThan((coarse.maxPromptTokens ?? 0) / 2);
  learning.learn(first, { promptTokens: 21, completionTokens: 1 });
  const next = await learning.count(route, request, coarse);
  expect(next.maxPromptTokens).toBe(22);
  // Routes to models of different tokenizers are counted like that as well.
  expect((await learning.count(routed("gpt-4o", "other"), request, coarse)).maxPromptTokens).toBe(22);
});

const document = (bytes: number) => ({ file_data: Buffer.alloc(bytes).toString("base64") });

test.each<[string, object]>([
  ["a picture", { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
  ["a picture by its address", { type: "image_url", image_url: { url: "https://example.com/a.png" } }],
  ["a file by its id", { type: "file", file: { file_id: "file_1" } }],
  ["a document", { type: "file", file: document(3_000) }],
  ["a document beyond the window", { type: "file", file: document(3_000_000) }],
  ["a video by its address", { type: "video_url", video_url: { url: "https://example.com/a.mp4" } }],
  ["a part that nobody has heard of", { type: "hologram", id: "h1" }],
  ["text with something beside it", { type: "text", text: "a", video_url: { url: "https://example.com" } }],
])("a prompt with %s stays as it was, and shows nothing of texts", async (_, part) => {
  const { request, coarse } = prepare(ask([{ type: "text", text: PROSE }, part]));
  expect(await counter.count(routed("gpt-4o"), request, coarse)).toBe(coarse);
  const learning = new PromptCounter(() => {});
  const unknown = routed("some-model");
  expect(await learning.count(unknown, request, coarse)).toBe(coarse);
  learning.learn(coarse, { promptTokens: 1, completionTokens: 1 });
  const text = prepare(ask(PROSE));
  const before = await new PromptCounter(() => {}).count(unknown, text.request, text.coarse);
  expect(await learning.count(unknown, text.request, text.coarse)).toEqual(before);
});

test("a prompt that only one of its providers counts as text stays as it was", async () => {
  const { request, coarse } = prepare(ask(PROSE));
  const kinds = ["openai" as const, "sandbox" as const];
  const mixed = { ...coarse, ...request.estimate({ ...counting, kinds }) };
  expect(await counter.count(routed("gpt-4o"), request, mixed)).toBe(mixed);
});

test("where the thread fails, the other ways are taken", async () => {
  const dead = { postMessage() {}, addEventListener() {}, terminate() {} };
  const tokens = new TokenCounter(
    () => {},
    () => {
      const thread = dead as unknown as Worker;
      queueMicrotask(() => thread.onerror?.({ message: "lost" } as ErrorEvent));
      return thread;
    },
  );
  const failing = new PromptCounter(() => {}, tokens);
  const { request, coarse } = prepare(ask(PROSE));
  const finer = await failing.count(routed("gpt-4o"), request, coarse);
  expect(finer.maxPromptTokens).toBeLessThan(coarse.maxPromptTokens ?? 0);
});
