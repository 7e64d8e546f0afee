import { expect, test } from "bun:test";
import fc from "fast-check";
import { cutText, foldName, isVisible, removeControls } from "./plain-text";
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

test("names that look alike are equal, and others are not", () => {
  const alike = [
    "Owner",
    "OWNER",
    "Ｏwner",
    "Own\u200Ber",
    "Owner\u00AD",
    "Owner\uFEFF",
    "\u2060Owner ",
    "Own\uFFF9er",
  ];
  expect(new Set(alike.map(foldName))).toEqual(new Set(["owner"]));
  expect(foldName("Prompt \u00A0 tester")).toBe(foldName("prompt tester"));
  for (const blank of ["\u2800", "\u3164", "\uFFA0"]) {
    expect(foldName(`Prompt${blank}tester${blank}`)).toBe("prompt tester");
  }
  expect(foldName("Own\uE000er")).toBe("owner");
  expect(foldName("Own er")).not.toBe(foldName("Owner"));
});
