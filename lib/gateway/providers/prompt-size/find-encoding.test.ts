import { expect, test } from "bun:test";
import { findEncoding } from "./find-encoding";

test.each([
  ["gpt-4o-mini-2024-07-18", "o200k_base"],
  ["openai/gpt-5-mini", "o200k_base"],
  ["gpt-4.1-nano", "o200k_base"],
  ["o3", "o200k_base"],
  ["o4-mini", "o200k_base"],
  ["openai/gpt-oss-120b", "o200k_base"],
  ["ft:gpt-4o:acme", "o200k_base"],
  ["gpt-4", "cl100k_base"],
  ["gpt-4-turbo", "cl100k_base"],
  ["gpt-3.5-turbo", "cl100k_base"],
  ["text-embedding-3-small", "cl100k_base"],
  ["claude-sonnet-5", null],
  ["llama-4", null],
  ["olmo-2", null],
  ["upstream-name", null],
])("the tokenizer of %s is %p", (model, encoding) => {
  expect(findEncoding(model)).toBe(encoding as ReturnType<typeof findEncoding>);
});
