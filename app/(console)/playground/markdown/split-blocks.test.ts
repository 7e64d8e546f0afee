import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GrowingBlocks, splitBlocks } from "./answer-markdown";

const splitTexts = (markdown: string) => splitBlocks(markdown).map(({ text }) => text);

describe("a Markdown text is cut", () => {
  test("at blank lines", () => {
    expect(splitTexts("# Title\n\nOne\nline\n\nTwo")).toEqual(["# Title", "One\nline", "Two"]);
  });

  test("around fenced code, whose blank lines and marks stay inside", () => {
    expect(splitBlocks("Look:\n```ts\na\n\n# b\n```\nDone")).toEqual([
      { kind: "text", text: "Look:" },
      { kind: "code", language: "ts", text: "a\n\n# b" },
      { kind: "text", text: "Done" },
    ]);
  });

  test("with a fence that ends only at one as long", () => {
    expect(splitBlocks("````\n```\n````")).toEqual([{ kind: "code", language: "", text: "```" }]);
  });

  test("with code that is still being written", () => {
    expect(splitBlocks("```py\nprint(")).toEqual([{ kind: "code", language: "py", text: "print(" }]);
  });
});

describe("it is not cut", () => {
  test.each([
    ["between the items of a list", "1. one\n\n2. two\n\n3"],
    ["before what belongs to an item", "- one\n\n  more of it\n\n  ```\n  code\n  ```"],
    ["within a table", "| a |\n| --- |\n| 1 |"],
    ["within a quotation", "> a\n>\n> b"],
  ])("%s", (_, markdown) => expect(splitTexts(markdown)).toEqual([markdown]));
});

test("a link finds its address in another block", () => {
  expect(splitTexts("See [docs][d].\n\nPlain.\n\n[d]: https://example.com")).toEqual([
    "See [docs][d].\n\n[d]: https://example.com",
    "Plain.",
    "[d]: https://example.com\n\n[d]: https://example.com",
  ]);
});

test("a long line of fence marks, and definitions for many blocks, take no more time or memory than their length", () => {
  const tildes = `${"~".repeat(100_000)}\``;
  expect(splitTexts(tildes)).toEqual([tildes]);
  const definition = `[d]: https://example.com/${"x".repeat(50_000)}`;
  const blocks = splitTexts(`${"[d]\n\n".repeat(10_000)}${definition}`);
  expect(blocks).toHaveLength(10_001);
  expect(blocks.join("").length).toBeLessThan(300_000);
});

test("no word is lost, and finished blocks stay while text is appended", () => {
  const line = fc.constantFrom("word", "- item", "2. item", "  indented", "", "", "```", "> quote", "# head");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const kept = splitBlocks(lines.join("\n")).flatMap(({ text }) => text.match(/[\w#>]+/g) ?? []);
      expect(kept).toEqual(lines.join("\n").match(/[\w#>]+/g) ?? []);
      const before = splitBlocks(lines.slice(0, -1).join("\n"));
      const after = splitBlocks(lines.join("\n"));
      expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
    }),
  );
});

test("a text that grows is split as a whole one is, and only its last block is read again", () => {
  const line = fc.constantFrom(
    "word",
    "- item",
    "  ```",
    "",
    "```",
    "~~~",
    "> quote",
    "[d]: https://a.example",
    "x\n\n",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, hasBreaks) => {
      const growing = new GrowingBlocks();
      let text = "";
      for (const one of lines) {
        text += hasBreaks ? `${one}\n` : one;
        expect(growing.split(text)).toEqual(splitBlocks(text));
      }
    }),
  );
  const growing = new GrowingBlocks();
  const begun = growing.split("# One\n\nTwo\n\nThr");
  const grown = growing.split("# One\n\nTwo\n\nThree");
  expect(grown.slice(0, 2).every((block, index) => block === begun[index])).toBe(true);
});
