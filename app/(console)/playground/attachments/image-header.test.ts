import { expect, test } from "bun:test";
import { readImageHeader } from "./image-header";

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    parts.flatMap((part) => (typeof part === "string" ? [...part].map((one) => one.charCodeAt(0)) : part)),
  );
const zeros = (count: number) => Array.from({ length: count }, () => 0);

test.each([
  ["image/png", bytes([0x89], "PNG\r\n\x1a\n", zeros(4), "IHDR", [0, 0, 0x4e, 0x20], [0, 0, 0x4e, 0x20])],
  ["image/gif", bytes("GIF89a", [0x20, 0x4e, 0x20, 0x4e])],
  ["image/webp", bytes("RIFF", zeros(4), "WEBPVP8X", zeros(8), [0x1f, 0x4e, 0, 0x1f, 0x4e, 0])],
  ["image/webp", bytes("RIFF", zeros(4), "WEBPVP8 ", zeros(10), [0x20, 0x0e, 0x20, 0x0e])],
  ["image/jpeg", bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 8, 8, 0x4e, 0x20, 0x4e, 0x20])],
])("reads the size of %s from its first bytes", (mimeType, header) => {
  const size = header.includes(0x0e) ? 3_616 : 20_000;
  expect(readImageHeader(header)).toEqual({ mimeType, width: size, height: size } as never);
});

test.each([
  [
    "a drawing with a script",
    bytes("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
  ],
  ["a page", bytes("<!doctype html><script>alert(1)</script>")],
  ["nothing", bytes()],
  ["a cut image", bytes([0x89], "PNG\r\n\x1a\n", zeros(4))],
  ["a JPEG without a frame", bytes([0xff, 0xd8, 0xff, 0xe0, 0, 2])],
])("takes %s for no image", (_, header) => {
  expect(readImageHeader(header)).toBeNull();
});
