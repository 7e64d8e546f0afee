import { expect, test } from "bun:test";
import { formatBytes } from "./format-bytes";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1_023, "1023 bytes"],
  [65_536, "64 KiB"],
  [1_500, "1 KiB"],
  [1_048_063, "1023 KiB"],
  [1_048_575, "1 MiB"],
  [3_565_158, "3.4 MiB"],
  [104_857_600, "100 MiB"],
])("%p bytes are written as %p", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
