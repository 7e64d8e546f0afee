import { expect, test } from "bun:test";
import { assignColors } from "./chart-series";

test("a name has the same color in every chart, unless one before it has that color, and no two of eight share one", () => {
  const names = ["gpt-5-mini", "claude-sonnet-4-5", "gemini-3-flash", "a", "b", "c", "d", "e"];
  expect(new Set(assignColors(names).values()).size).toBe(8);
  const ownColors = names.map((name) => assignColors([name]).get(name));
  expect(new Set(ownColors).size).toBeGreaterThan(1);
  for (const [index, name] of names.entries()) {
    const own = ownColors[index];
    for (const before of names.filter((_, other) => ownColors[other] !== own))
      expect(assignColors([before, name]).get(name)).toBe(own);
  }
  expect(assignColors([...names, "ninth"]).get("ninth")).toBe("rest");
});
