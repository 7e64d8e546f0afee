import { expect, test } from "bun:test";
import { readUsage, toChatUsageObject } from "./read-usage";

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
  expect(readUsage(usage)).toMatchObject({ promptTokens: 32, completionTokens });
});

test("usage is written with the reasoning in the completion's tokens, and read again as the same", () => {
  const usage = readUsage({
    ...counted,
    total_tokens: 435,
    prompt_tokens_details: { cached_tokens: 30 },
    completion_tokens_details: { reasoning_tokens: 394 },
  });
  const written = {
    prompt_tokens: 32,
    completion_tokens: 403,
    total_tokens: 435,
    prompt_tokens_details: { cached_tokens: 30 },
    completion_tokens_details: { reasoning_tokens: 394 },
  };
  expect(usage && JSON.parse(JSON.stringify(toChatUsageObject(usage)))).toEqual(written);
  expect(readUsage(written)).toEqual({ promptTokens: 32, completionTokens: 403, cachedTokens: 30 });
});
