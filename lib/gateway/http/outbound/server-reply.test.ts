import { expect, test } from "bun:test";
import { decompress } from "./server-reply";

test.each(["constructor", "__proto__", "compress"])("an unknown coding is named: %s", (coding) => {
  const reply = { status: 200, contentLength: null, header: () => coding, read: () => null };
  expect(() => decompress(reply)).toThrow(`packed as "${coding}"`);
});
