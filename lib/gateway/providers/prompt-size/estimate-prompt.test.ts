import { describe, expect, test } from "bun:test";
import { estimatePrompt } from "./estimate-prompt";

const image = (url: string) => ({ type: "image_url", image_url: { url } });
const inline = image(`data:image/png;base64,${"A".repeat(300_000)}`);
const file = { type: "file", file: { file_id: "file_1" } };
const audio = (base64Bytes: number) => ({
  type: "input_audio",
  input_audio: { data: "A".repeat(base64Bytes), format: "mp3" },
});

function estimate(parts: readonly object[], contextWindow: number | null = null, more: object = {}) {
  const content = [{ type: "text", text: "What is this?" }, ...parts];
  const text = JSON.stringify({ model: "m", messages: [{ role: "user", content, ...more }] });
  return estimatePrompt({ text, value: JSON.parse(text) }, contextWindow);
}

test("an image that is sent counts as a large one, not by its bytes, and is held as the dearest", () => {
  const { promptTokens, countedPromptTokens, maxPromptTokens, images } = estimate([inline]);
  expect(promptTokens).toBeGreaterThan(1_600);
  expect(promptTokens).toBeLessThan(1_700);
  expect([countedPromptTokens, images]).toEqual([promptTokens, 1]);
  expect(maxPromptTokens).toBeGreaterThan(50_000);
});

describe("a part whose size can't be known counts, and is held, as all that the model reads", () => {
  test.each([
    ["a file by its id", file],
    ["a file", { type: "file", file: { file_data: "data:application/pdf;base64,AA" } }],
    ["a video", { type: "video_url", video_url: { url: "https://example.com/a.mp4" } }],
    ["a remote image", image("https://example.com/a.png")],
    ["an image by another reference", { type: "image_url", image_url: { file_id: "file_1" } }],
    ["a part nobody has heard of", { type: "hologram", id: "h1" }],
    ["text with something beside it", { type: "text", text: "a", video_url: { url: "https://example.com" } }],
    ["audio by its address", { type: "audio_url", audio_url: { url: "https://example.com/a.mp3" } }],
  ])("%s", (_name, part) => {
    expect(estimate([part])).toMatchObject({ countedPromptTokens: 128_000, maxPromptTokens: 128_000 });
    expect(estimate([part], 9_000)).toMatchObject({ countedPromptTokens: 9_000, maxPromptTokens: 9_000 });
  });

  test.each([
    ["by its id", { file_id: "file_1" }],
    ["by its address", { file_data: "https://example.com/a.pdf" }],
    ["by both its bytes and its id", { file_data: "AA", file_id: "file_1" }],
    ["without bytes", { file_data: "" }],
  ])("and is charged so where nothing is reported: a file %s", (_name, reference) => {
    const { promptTokens, maxPromptTokens } = estimate([{ type: "file", file: reference }], 9_000);
    expect([promptTokens, maxPromptTokens]).toEqual([9_000, 9_000]);
  });

  test("an earlier spoken answer, which is sent by its id", () => {
    expect(estimate([], 9_000, { role: "assistant", audio: { id: "audio_1" } }).maxPromptTokens).toBe(9_000);
  });
});

test("a document that is sent is charged by its size where nothing is reported, at most as the context window", () => {
  const document = (bytes: number) => ({
    type: "file",
    file: { file_data: Buffer.alloc(bytes).toString("base64") },
  });
  const chargedTokens = (bytes: number) => estimate([document(bytes)], 9_000).promptTokens;
  expect(chargedTokens(3_000)).toBeGreaterThanOrEqual(750);
  expect(chargedTokens(3_000)).toBeLessThan(800);
  expect(chargedTokens(3_000_000)).toBe(9_000);
  expect(estimate([document(3_000_000)]).promptTokens).toBe(128_000);
  expect(estimate([document(3_000)], 9_000)).toMatchObject({
    countedPromptTokens: 9_000,
    maxPromptTokens: 9_000,
  });
  expect(estimate([document(3_000), file], 9_000).promptTokens).toBe(9_000);
});

test("known text is held at its bytes, and at most at the configured context window", () => {
  const long = { type: "text", text: "人".repeat(10_000) };
  expect(estimate([long]).maxPromptTokens).toBeGreaterThan(30_000);
  expect(estimate([long], 20_000).maxPromptTokens).toBe(20_000);
  expect(estimate([{ type: "text", text: "ﷺ".repeat(100) }]).maxPromptTokens).toBeGreaterThan(3_300);
});

test("escaped text is estimated as the text it encodes", () => {
  const words = "ሰላም ለዓለም ".repeat(50);
  const plain = JSON.stringify({ model: "m", messages: [{ role: "user", content: words }] });
  const escapedText = plain.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
  const tokens = [plain, escapedText].map((text) => estimatePrompt({ text, value: JSON.parse(text) }, null));
  expect(tokens[0]).toEqual(tokens[1] as (typeof tokens)[0]);
});

test("audio counts by its megabytes, begun ones too", () => {
  expect(estimate([audio(4)]).audioMegabytes).toBe(1);
  expect(estimate([audio(4_000_000)]).audioMegabytes).toBe(3);
  expect(estimate([audio(4_000_000), audio(4)]).audioMegabytes).toBe(4);
  expect(estimate([file]).audioMegabytes).toBe(0);
});
