import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import {
  countLeastInputTokens,
  countLeastPromptTokens,
  MAX_TOKEN_BYTES,
} from "../../providers/prompt-size/estimate-prompt";
import corpus from "../../providers/prompt-size/token-corpus.json";
import { StreamMeter } from "../replies/stream-meter";
import { findUsage, joinFigures, readUsage, toChatUsageObject } from "./read-usage";
import { countLeastOutput, NO_OUTPUT, resolveUsage } from "./resolve-usage";

/** A prompt that was estimated as 50 tokens, and an answer that was counted as 20. */
const evidence = {
  promptTokens: 50,
  output: { completionTokens: 20 },
  minPromptTokens: 2,
  minCompletionTokens: 5,
};
const resolve = (reply: object, known = evidence) =>
  resolveUsage(findUsage(reply as Record<string, unknown>), known);
const resolved = (promptTokens: number, completionTokens: number, basis: "reported" | "estimated") => ({
  usage: { promptTokens, completionTokens },
  basis,
});

const counted = { prompt_tokens: 32, completion_tokens: 9 };

test.each([
  ["xAI", { ...counted, total_tokens: 435, completion_tokens_details: { reasoning_tokens: 394 } }, 403],
  ["a server without details", { ...counted, total_tokens: 435 }, 403],
  ["OpenAI", { ...counted, total_tokens: 41, completion_tokens_details: { reasoning_tokens: 5 } }, 9],
  [
    "a total that other details explain",
    { ...counted, total_tokens: 60, prompt_tokens_details: { cached_tokens: 19 } },
    9,
  ],
  [
    "a total that isn't the reasoning",
    { ...counted, total_tokens: 500, completion_tokens_details: { reasoning_tokens: 394 } },
    9,
  ],
  ["a total below the sum", { ...counted, total_tokens: 1 }, 9],
  ["an implausible total", { ...counted, total_tokens: 1e12 }, 9],
])("the completion's tokens of %s", (_, usage, completionTokens) => {
  expect(resolve({ usage })).toMatchObject({ usage: { promptTokens: 32, completionTokens } });
});

describe("a figure is found", () => {
  const all = resolved(32, 9, "reported");
  test.each([
    ["as text", { usage: { prompt_tokens: "32", completion_tokens: "9.0" } }, all],
    ["by the names of responses", { usage: { input_tokens: 32, output_tokens: 9 } }, all],
    ["by either name", { usage: { prompt_tokens: null, completion_tokens: 9, input_tokens: 32 } }, all],
    ["in camel case", { usage: { promptTokens: 32, completionTokens: 9 } }, all],
    ["in the choice", { choices: [{ usage: counted }] }, all],
    ["in another member", { usage: null, x_groq: { id: "r", usage: counted } }, all],
    ["beside zeros", { usage: { prompt_tokens: 0, completion_tokens: 0 }, x_any: { usage: counted } }, all],
    ["as the total less the prompt", { usage: { prompt_tokens: 32, total_tokens: 41 } }, all],
    ["as the total less the output", { usage: { completion_tokens: 9, total_tokens: 41 } }, all],
    [
      "as the total less the prompt, beside a 0",
      { usage: { ...counted, completion_tokens: 0, total_tokens: 41 } },
      all,
    ],
    ["in half of a pair", { usage: { prompt_tokens: 32 } }, resolved(32, 20, "estimated")],
    ["in the other half", { usage: { completion_tokens: 9 } }, resolved(50, 9, "estimated")],
    [
      "in a total, which is split as the estimates are",
      { usage: { total_tokens: 140 } },
      resolved(100, 40, "estimated"),
    ],
    ["nowhere", { usage: { prompt_tokens: "many", completion_tokens: -9 } }, resolved(50, 20, "estimated")],
    ["in no list", { usage: [32, 9], choices: [{ usage: 7 }] }, resolved(50, 20, "estimated")],
  ])("%s", (_, reply, expected) => {
    expect(resolve(reply)).toEqual(expected);
  });

  test("in llama.cpp's timings, whose prompt has no cached tokens", () => {
    const { usage, basis } = resolve({
      timings: { cache_n: 30, prompt_n: 2, predicted_n: 9, predicted_ms: 1.5 },
    });
    expect([usage, basis]).toEqual([{ promptTokens: 32, completionTokens: 9, cachedTokens: 30 }, "reported"]);
  });

  test.each([
    ["OpenAI's", { ...counted, prompt_tokens_details: { cached_tokens: 30 } }],
    ["DeepSeek's", { ...counted, prompt_cache_hit_tokens: 30, prompt_cache_miss_tokens: 2 }],
    ["Moonshot's", { ...counted, cached_tokens: 30 }],
    ["Anthropic's beside OpenAI's", { ...counted, input_tokens: 2, cache_read_input_tokens: 30 }],
    ["Anthropic's", { input_tokens: 2, cache_read_input_tokens: 30, output_tokens: 9 }],
    [
      "the responses API's",
      { input_tokens: 32, output_tokens: 9, input_tokens_details: { cached_tokens: 30 } },
    ],
  ])("with the cached tokens among the prompt's: %s", (_, usage) => {
    expect(resolve({ usage })).toEqual({
      usage: { promptTokens: 32, completionTokens: 9, cachedTokens: 30 },
      basis: "reported",
    });
  });
});

describe("a figure that can't be true is estimated, and the other stays:", () => {
  test.each([
    ["zeros beside an answer", 0, 0, resolved(50, 20, "estimated")],
    ["no output beside an answer", 32, 0, resolved(32, 20, "estimated")],
    ["no prompt", 0, 9, resolved(50, 9, "estimated")],
    ["less output than went by", 32, 4, resolved(32, 20, "estimated")],
    ["a smaller prompt than was sent", 1, 9, resolved(50, 9, "estimated")],
    ["the least that is possible", 2, 5, resolved(2, 5, "reported")],
  ])("%s", (_, prompt_tokens, completion_tokens, expected) => {
    expect(resolve({ usage: { prompt_tokens, completion_tokens } })).toEqual(expected);
  });

  test("more cached tokens than a prompt can have are no evidence of its size, and none of them are believed", () => {
    const usage = { ...counted, prompt_tokens_details: { cached_tokens: 99_999 } };
    expect(resolve({ usage })).toEqual({
      usage: { promptTokens: 32, completionTokens: 9, isCacheContradicted: true },
      basis: "reported",
    });
  });

  test("a prompt of fewer tokens than were cached", () => {
    const usage = { ...counted, prompt_tokens_details: { cached_tokens: 60 } };
    const expected = { promptTokens: 60, completionTokens: 9, isCacheContradicted: true as const };
    expect(resolve({ usage })).toEqual({ usage: expected, basis: "estimated" });
  });

  test("zeros are believed where nothing was read and nothing written", () => {
    const nothing = { ...evidence, minPromptTokens: 0, minCompletionTokens: 0 };
    const usage = { prompt_tokens: 0, completion_tokens: 0 };
    expect(resolve({ usage }, nothing)).toEqual(resolved(0, 0, "reported"));
  });
});

test("usage is written with all that its provider told, and read again as the same", () => {
  const told = {
    ...counted,
    total_tokens: 435,
    prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 1 },
    completion_tokens_details: { reasoning_tokens: 394 },
  };
  const { usage } = resolve({ usage: told });
  const written = JSON.parse(JSON.stringify(toChatUsageObject(usage)));
  expect(written).toEqual({ ...told, completion_tokens: 403 });
  expect(resolve({ usage: written })).toEqual({ usage, basis: "reported" });
});

describe("the parts of a prompt that were cached", () => {
  const all = { promptTokens: 32, completionTokens: 9 };
  const parts = { ...all, cachedTokens: 20, cacheWriteTokens: 10 };
  test.each([
    [
      "OpenRouter's",
      { ...counted, prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 10 } },
      parts,
    ],
    [
      "LiteLLM's",
      {
        ...counted,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 10,
        prompt_tokens_details: { cached_tokens: 20 },
      },
      parts,
    ],
    [
      "Anthropic's, which writes alone",
      { input_tokens: 22, output_tokens: 9, cache_creation_input_tokens: 10 },
      { ...all, cacheWriteTokens: 10 },
    ],
    [
      "Anthropic's, by how long they are kept",
      {
        input_tokens: 2,
        output_tokens: 9,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 10,
        cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 6 },
      },
      { ...parts, cacheWrite1hTokens: 6 },
    ],
    [
      "Bedrock's",
      {
        inputTokens: 2,
        outputTokens: 9,
        totalTokens: 41,
        cacheReadInputTokens: 20,
        cacheWriteInputTokens: 10,
      },
      parts,
    ],
    [
      "Gemini's",
      { promptTokenCount: 32, completion_tokens: 9, cachedContentTokenCount: 20 },
      { ...all, cachedTokens: 20 },
    ],
    [
      "one with zeros under the names that it doesn't use",
      {
        ...counted,
        cache_read_input_tokens: 0,
        prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 10 },
      },
      parts,
    ],
    [
      "one that counts as OpenAI does by Anthropic's names",
      { input_tokens: 32, output_tokens: 9, total_tokens: 41, cache_read_input_tokens: 20 },
      { ...all, cachedTokens: 20 },
    ],
  ])("%s", (_, usage, expected) => {
    expect(resolve({ usage })).toEqual({ usage: expected, basis: "reported" });
  });

  const contradicted = { ...all, isCacheContradicted: true as const };
  test.each([
    ["two figures of what was read", { cached_tokens: 20, prompt_tokens_details: { cached_tokens: 19 } }],
    [
      "two figures of what was written",
      { cache_creation_input_tokens: 3, cache_creation: { ephemeral_5m_input_tokens: 4 } },
    ],
    ["misses that aren't the rest", { prompt_cache_hit_tokens: 20, prompt_cache_miss_tokens: 20 }],
    [
      "more read and written than there are",
      { prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 13 } },
    ],
  ])("none of them are believed for %s", (_, contradicting) => {
    expect(resolve({ usage: { ...counted, ...contradicting } })).toEqual({
      usage: contradicted,
      basis: "reported",
    });
  });

  test("a later report without them, whose input is what is beside them, takes nothing back", () => {
    const first = {
      input_tokens: 2,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 10,
      output_tokens: 1,
    };
    const joined = joinFigures(readUsage(first), readUsage({ input_tokens: 2, output_tokens: 9 }));
    expect(resolveUsage(joined, evidence)).toEqual({ usage: parts, basis: "reported" });
    const again = joinFigures(joined, readUsage({ ...first, output_tokens: 9 }));
    expect(resolveUsage(again, evidence)).toEqual({ usage: parts, basis: "reported" });
  });

  test("counts of any kind never make a class negative or larger than the prompt", () => {
    const value = fc.oneof(fc.integer({ min: -5, max: 60 }), fc.constantFrom("7", "x", null, 1e30, 2.5, {}));
    const usage = fc.record(
      {
        prompt_tokens: value,
        input_tokens: value,
        output_tokens: value,
        total_tokens: value,
        cached_tokens: value,
        cache_read_input_tokens: value,
        cache_creation_input_tokens: value,
        prompt_cache_miss_tokens: value,
        cache_creation: fc.record({ ephemeral_5m_input_tokens: value, ephemeral_1h_input_tokens: value }),
        prompt_tokens_details: fc.record({ cached_tokens: value, cache_write_tokens: value }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(usage, usage, (one, other) => {
        const figures = joinFigures(readUsage(one), readUsage(other));
        const { usage: used } = resolveUsage(figures, evidence);
        const { promptTokens, cachedTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = used;
        expect(Math.min(cachedTokens, cacheWriteTokens, cacheWrite1hTokens)).toBeGreaterThanOrEqual(0);
        expect(cachedTokens + cacheWriteTokens).toBeLessThanOrEqual(promptTokens);
        expect(cacheWrite1hTokens).toBeLessThanOrEqual(cacheWriteTokens);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a true report is believed", () => {
  /** Tokens of any vocabulary: of all lengths up to the longest ones in use, which are 128 blanks. */
  const token = fc
    .oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 128 }).map((length) => " ".repeat(length)),
      fc.integer({ min: 1, max: 128 }).map((length) => "\n".repeat(length)),
      fc.constantFrom("\t", "人", "<|x|>", "=".repeat(128), "-".repeat(64), '"'.repeat(32), "A".repeat(100)),
    )
    .filter((text) => Buffer.byteLength(text) <= 128);
  const tokens = fc.array(token, { minLength: 1, maxLength: 400 });

  test("of an answer that is whole or streamed, however many bytes its tokens have", () => {
    fc.assert(
      fc.property(tokens, (texts) => {
        const textBytes = Buffer.byteLength(texts.join(""));
        expect(countLeastOutput({ ...NO_OUTPUT, textBytes })).toBeLessThanOrEqual(texts.length);
        const meter = new StreamMeter(false, 1_000_000);
        const write = (chunk: object) => meter.read(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`));
        for (const content of texts) write({ choices: [{ index: 0, delta: { content } }] });
        write({ choices: [], usage: { prompt_tokens: 9, completion_tokens: texts.length } });
        const { minCompletionTokens, counted: output } = meter;
        const known = { ...evidence, output, minCompletionTokens };
        expect(resolveUsage(meter.reported, known)).toEqual(resolved(9, texts.length, "reported"));
      }),
    );
  });

  test("of a prompt, and of texts to embed", () => {
    fc.assert(
      fc.property(tokens, tokens, (texts, others) => {
        const [content, other] = [texts.join(""), others.join("")];
        const asked: ChatMessage[] = [
          { role: "system", content: other },
          { role: "user", content },
        ];
        expect(countLeastPromptTokens(asked)).toBeLessThanOrEqual(texts.length);
        expect(countLeastInputTokens(content)).toBeLessThanOrEqual(texts.length);
      }),
    );
  });

  test.each(corpus)("of $name by five tokenizers", ({ text, tokens: counts }) => {
    const least = Math.min(...Object.values(counts));
    expect(countLeastOutput({ ...NO_OUTPUT, textBytes: Buffer.byteLength(text) })).toBeLessThanOrEqual(least);
    expect(countLeastPromptTokens([{ role: "user", content: text }])).toBeLessThanOrEqual(least);
    expect(countLeastInputTokens(text)).toBeLessThanOrEqual(least);
  });

  test("of a server that cuts what is too long for it, or leaves out earlier messages, thinking and blanks", () => {
    const long = "word ".repeat(1_000_000);
    expect(countLeastPromptTokens([{ role: "user", content: long }])).toBe(512);
    expect(countLeastInputTokens(long)).toBe(128);
    const last: ChatMessage = { role: "user", content: "hi" };
    expect(countLeastPromptTokens([{ role: "user", content: long }, last])).toBe(1);
    expect(countLeastPromptTokens([last, { role: "assistant", content: long }])).toBe(1);
    expect(countLeastPromptTokens([{ role: "user", content: " ".repeat(10_000) }])).toBe(0);
    expect(countLeastInputTokens(" ".repeat(10_000))).toBe(0);
    expect(countLeastInputTokens("f".repeat(10_000))).toBe(1);
  });

  test("except where it would need tokens that no vocabulary has", () => {
    const textBytes = 200 * 6;
    expect(countLeastOutput({ ...NO_OUTPUT, textBytes })).toBe(Math.ceil(textBytes / MAX_TOKEN_BYTES));
    expect(countLeastOutput({ ...NO_OUTPUT, pictures: 1 })).toBe(1);
  });
});
