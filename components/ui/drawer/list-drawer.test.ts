import { expect, test } from "bun:test";
import { readStep } from "./list-drawer";

/** A key pressed in an element that matches these selectors, or is in one. */
function press(key: string, matching: readonly string[] = [], held = {}) {
  const closest = (selectors: string) =>
    selectors.split(", ").find((one) => matching.includes(one)) ? {} : null;
  return readStep({ key, metaKey: false, ctrlKey: false, altKey: false, target: { closest }, ...held });
}

test("arrows scroll a receipt and set a film's volume; on the buttons for it they move through the list", () => {
  for (const key of ["ArrowDown", "ArrowUp"]) {
    expect(press(key)).toBe(0);
    expect(press(key, ["video"])).toBe(0);
  }
  expect(press("ArrowDown", ["[data-step]"])).toBe(1);
  expect(press("ArrowUp", ["[data-step]"])).toBe(-1);
});

test("J and K move through the list, unless they are typed into a field or held with another key", () => {
  expect(press("j")).toBe(1);
  expect(press("k", ["video"])).toBe(-1);
  for (const field of ["input", "textarea", "select"]) expect(press("j", [field])).toBe(0);
  expect(press("k", [], { ctrlKey: true })).toBe(0);
  expect(press("x")).toBe(0);
});
