import { expect, test } from "bun:test";
import fc from "fast-check";
import { cutText, isVisible, removeControls } from "./plain-text";
import { displayName } from "./schema";

test("what is cleaned and cut is a name, unless nothing of it is visible", () => {
  const special = fc.constantFrom("\u202a", "\u2066", "\ud83d", "🙂", "\n", "\t", "\0", "\u200b", "שלום");
  const unit = fc.oneof(
    special,
    fc.nat(0xffff).map((code) => String.fromCharCode(code)),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 120 }), (units) => {
      const name = cutText(removeControls(units.join("")), 100).trim();
      expect([name, displayName.safeParse(name).success]).toEqual([name, isVisible(name)]);
    }),
  );
});

test("a cut goes around an emoji, and shorter text stays as it is", () => {
  expect(cutText("ab🙂", 3)).toBe("ab");
  expect(cutText("ab🙂", 4)).toBe("ab🙂");
});
