import { expect, test } from "bun:test";
import { colorsOf } from "./chart-series";

test("a name has the same colour in every chart where it comes first, and no two of eight share one", () => {
  const names = ["gpt-5-mini", "claude-sonnet-4-5", "gemini-3-flash", "a", "b", "c", "d", "e"];
  expect(new Set(colorsOf(names).values()).size).toBe(8);
  for (const name of names) {
    expect(colorsOf([name]).get(name)).toBe(colorsOf([name, "another"]).get(name));
  }
  expect(colorsOf([...names, "ninth"]).get("ninth")).toBe("rest");
});
