import { expect, test } from "bun:test";
import {
  findFullFolders,
  findLongComments,
  findSizeFaults,
  findTallComments,
} from "@/lib/dev/checks/check-sizes-and-names";

test("250 lines pass, 251 do not", () => {
  expect(findSizeFaults("a.ts", "x\n".repeat(250))).toEqual([]);
  expect(findSizeFaults("a.ts", "x\n".repeat(251))).toEqual(["a.ts has 251 lines, at most 250"]);
});

test("a folder of 20 files of code passes beside its tests, documents and folders; one of 21 doesn't", () => {
  const files = Array.from({ length: 20 }, (_, index) => `lib/a/${index}.ts`);
  const others = ["lib/a/0.test.ts", "lib/a/1.spec.ts", "lib/a/README.md", "lib/a/b/20.ts"];
  expect(findFullFolders([...files, ...others])).toEqual([]);
  expect(findFullFolders([...files, "lib/a/x.tsx"])).toEqual([
    "lib/a has 21 files, at most 20: split it by subject",
  ]);
});

test("a comment of 120 columns passes, one of 121 is named by its line, and code is left to the formatter", () => {
  expect(findLongComments("a.ts", `  // ${"x".repeat(115)}`)).toEqual([]);
  expect(findLongComments("a.ts", `\n  // ${"x".repeat(116)}`)).toEqual([
    "a.ts:2: a comment has 121 columns, at most 120",
  ]);
  expect(findLongComments("a.ts", `const x = "${"x".repeat(130)}";`)).toEqual([]);
});

test("a comment of three lines passes, with tags below it, and one of four is named by its first line", () => {
  const block = (...lines: string[]) =>
    `\nconst x = 1;\n/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`;
  expect(findTallComments("a.ts", block("a", "b", "c", "@throws d", "@returns e"))).toEqual([]);
  expect(findTallComments("a.ts", block("a", "b", "c", "d"))).toEqual([
    "a.ts:3: a comment has 4 lines, at most 3",
  ]);
  expect(findTallComments("a.ts", "  // a\n  // b\n  // c\n  x();\n  // d\n")).toEqual([]);
  expect(findTallComments("a.ts", "  // a\n  // b\n  // c\n  // d\n")).toEqual([
    "a.ts:1: a comment has 4 lines, at most 3",
  ]);
});
