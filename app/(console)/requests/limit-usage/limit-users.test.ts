import { expect, test } from "bun:test";
import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";
import { accumulateUsage } from "./limit-users";

test("the calls of a limit add up from the oldest to the newest, those of one second at once", () => {
  const call = (created_at: number, prompt_tokens: number) =>
    ({ created_at, prompt_tokens, completion_tokens: 0 }) as LoggedRequest;
  const newestFirst = [call(109, 5), call(103, 40), call(103, 2), call(101, 100)];
  expect(accumulateUsage("max_tokens_per_1_minute", newestFirst)).toEqual([
    { at: 101, used: 100 },
    { at: 103, used: 142 },
    { at: 109, used: 147 },
  ]);
  expect(accumulateUsage("max_requests_per_1_minute", newestFirst)?.at(-1)).toEqual({ at: 109, used: 4 });
  expect(accumulateUsage("max_requests_per_1_minute", [])).toEqual([]);
});

test("images add up by their number, and nothing is told of megabytes, which the log doesn’t have", () => {
  const images = (created_at: number, units: string | null) =>
    ({ created_at, unit: "image", units }) as LoggedRequest;
  const calls = [images(109, "4"), images(101, "2")];
  expect(accumulateUsage("max_images_per_1_minute", calls)).toEqual([
    { at: 101, used: 2 },
    { at: 109, used: 6 },
  ]);
  expect(accumulateUsage("max_images_per_1_minute", [images(110, null), ...calls])).toBeNull();
  expect(accumulateUsage("max_audio_megabytes_per_1_minute", calls)).toBeNull();
});
