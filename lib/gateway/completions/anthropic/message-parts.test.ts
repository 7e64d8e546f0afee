import { expect, test } from "bun:test";
import { toStopReason } from "./message-parts";

test("a provider's own reason ends the turn, whatever word it is", () => {
  expect(toStopReason("length", false)).toBe("max_tokens");
  for (const reason of ["eos", "constructor", "__proto__"]) {
    expect(toStopReason(reason, false)).toBe("end_turn");
    expect(toStopReason(reason, true)).toBe("tool_use");
  }
});
