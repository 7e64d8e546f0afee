import { expect, test } from "bun:test";
import { Glob } from "bun";

test("each decision is in the list", async () => {
  const list = await Bun.file("lib/decisions/README.md").text();
  const names = [...new Glob("*.md").scanSync("lib/decisions")].filter((name) => name !== "README.md");
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !list.includes(`](${name})`))).toEqual([]);
});
