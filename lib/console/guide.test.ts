import { expect, test } from "bun:test";
import { anchorOf, guidePages, isGuidePage, listHeadings, readGuidePage, readSummary } from "./guide";

test("the contents list each page that there is", async () => {
  const files = [...new Bun.Glob("*.md").scanSync("app/guide")].map((name) => name.replace(".md", ""));
  expect(files.toSorted()).toEqual([...guidePages].toSorted());
  expect(isGuidePage("limits")).toBe(true);
  expect(isGuidePage("../../README")).toBe(false);
});

test("headings get the anchors of code hosts, and comments in code are none", () => {
  const markdown =
    "# Limits\n\nSix [limits](./money.md) of `one` model.\n\n```sh\n# no heading\n```\n\n## What `429` says\n";
  expect(listHeadings(markdown)).toEqual([
    { level: 1, text: "Limits", anchor: "limits" },
    { level: 2, text: "What 429 says", anchor: "what-429-says" },
  ]);
  expect(anchorOf("Money, explained")).toBe("money-explained");
  expect(readSummary(markdown)).toBe("Six limits of one model.");
});

test.each([...guidePages])("%s has one title, a summary and no anchor twice", async (page) => {
  const markdown = await readGuidePage(page);
  const headings = listHeadings(markdown);
  expect(headings.filter(({ level }) => level === 1)).toHaveLength(1);
  expect(readSummary(markdown).length).toBeGreaterThan(20);
  expect(new Set(headings.map(({ anchor }) => anchor)).size).toBe(headings.length);
});
