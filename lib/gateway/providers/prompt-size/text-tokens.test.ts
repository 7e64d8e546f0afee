import { expect, test } from "bun:test";
import { computeMaxTextTokens, estimateTextTokens } from "./text-tokens";

// The Declaration of Human Rights in many scripts, and artificial texts, with the counts of five tokenizers: OpenAI's
// o200k_base and cl100k_base (gpt-tokenizer 3), Anthropic's (@anthropic-ai/tokenizer 0.0.4), Llama 3's and Llama 2's
// (llama3-tokenizer-js, llama-tokenizer-js).
import corpus from "./token-corpus.json";

test.each(corpus)("$name: a quarter under at most, and never more than the hold", ({ text, tokens }) => {
  const { llama2, ...todays } = tokens;
  expect(estimateTextTokens(text)).toBeGreaterThanOrEqual(0.75 * Math.max(...Object.values(todays)));
  expect(computeMaxTextTokens(text)).toBeGreaterThanOrEqual(Math.max(llama2, ...Object.values(todays)));
});

test("a digit is most of a token, since many tokenizers make it a whole one", () => {
  expect(estimateTextTokens("0123456789".repeat(20))).toBeGreaterThanOrEqual(0.75 * 200);
});

test("prose is not held back for what noise would cost", () => {
  for (const { name, text, tokens } of corpus) {
    if (!["english", "german", "code", "python"].includes(name)) continue;
    expect(estimateTextTokens(text)).toBeLessThan(2 * Math.max(tokens.o200k, tokens.cl100k));
  }
});

test("a long text is estimated as its parts are, wherever the dense ones stand", () => {
  const english = corpus.find(({ name }) => name === "english")?.text ?? "";
  const dense = corpus.find(({ name }) => name === "tibetan")?.text ?? "";
  const parts = [...Array(300).fill(english), ...Array(40).fill(dense)];
  const expected = estimateTextTokens(english) * 300 + estimateTextTokens(dense) * 40;
  for (const text of [parts.join(""), parts.toReversed().join("")]) {
    expect(estimateTextTokens(text) / expected).toBeGreaterThan(0.8);
    expect(estimateTextTokens(text) / expected).toBeLessThan(1.25);
  }
});
