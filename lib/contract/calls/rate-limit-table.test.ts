import { expect, test } from "bun:test";
import { rateLimitRows } from "./rate-limit-table";

/** The part of a limit's name that says what it counts. */
const namedLimits = {
  requests: "max_requests",
  tokens: "max_tokens",
  images: "max_images",
  audioMegabytes: "max_audio_megabytes",
  batchInputTokens: "batch_max_input_tokens",
} as const;

test.each(rateLimitRows)("$field counts what its name says, in the window that it names", (row) => {
  const { field, counts, window } = row;
  expect([field.replace(/_(per_)?1_(minute|day)/, ""), field.includes(`1_${window}`)]).toEqual([
    namedLimits[counts],
    true,
  ]);
});

test.each(rateLimitRows)(
  "$field applies to the families whose calls can take of it",
  ({ counts, families }) => {
    const takes: readonly string[] = families;
    // Chats contain images and audio in their messages; batches contain the inputs of chats and embeddings.
    expect(takes).toContain("chat");
    expect(takes.includes("image")).toBe(counts === "requests" || counts === "images");
    expect(takes.includes("transcription")).toBe(["requests", "tokens", "audioMegabytes"].includes(counts));
    expect(takes.includes("embedding")).toBe(
      counts === "requests" || counts === "tokens" || counts === "batchInputTokens",
    );
  },
);
