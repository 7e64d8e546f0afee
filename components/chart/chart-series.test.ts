import { expect, test } from "bun:test";
import { assignColors } from "./chart-series";

test("a name has the same color in every chart where it comes first, and no two of eight share one", () => {
  const names = ["gpt-5-mini", "claude-sonnet-4-5", "gemini-3-flash", "a", "b", "c", "d", "e"];
  expect(new Set(assignColors(names).values()).size).toBe(8);
  for (const name of names) {
    expect(assignColors([name]).get(name)).toBe(assignColors([name, "another"]).get(name));
  }
  expect(assignColors([...names, "ninth"]).get("ninth")).toBe("rest");
});
