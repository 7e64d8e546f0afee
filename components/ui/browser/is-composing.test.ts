import { expect, test } from "bun:test";
import { isComposing } from "./is-composing";

test("a key of an input method is told by its flag, and by its code where the flag comes too late", () => {
  expect(isComposing({ isComposing: true, keyCode: 27 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 27 })).toBe(false);
  const nativeEvent = { isComposing: true, keyCode: 13 } as KeyboardEvent;
  expect([
    isComposing({ nativeEvent }),
    isComposing({ nativeEvent: { ...nativeEvent, isComposing: false } }),
  ]).toEqual([true, false]);
});
