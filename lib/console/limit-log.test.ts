import { expect, test } from "bun:test";
import { limitLog } from "./limit-log";

test("a flood of strange requests neither fills the log nor hides a fault of the console itself", () => {
  const lines: string[] = [];
  const write = (...parts: unknown[]) => lines.push(parts.join(" "));
  const output = { error: write, warn: write };
  let nowMs = 0;
  limitLog(output, () => nowMs);
  for (let n = 0; n < 1_000; n++) output.warn(new Error(`Failed to find Server Action "${n}"`));
  output.error("console_1", "a fault");
  expect(lines).toHaveLength(22);
  expect(lines.slice(-2)).toEqual([
    "[warn] Further lines are counted only, for a minute.",
    "console_1 a fault",
  ]);
  nowMs = 60_000;
  output.warn("the next");
  expect(lines.slice(22)).toEqual(["[warn] 980 more lines were not written.", "the next"]);
});
