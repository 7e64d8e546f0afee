import { describe, expect, test } from "bun:test";
import {
  findLongComments,
  findPathFaults,
  findSizeFaults,
  findTallComments,
  findWordFaults,
} from "@/lib/dev/checks/check-sizes-and-names";

test("400 lines pass, 401 do not", () => {
  expect(findSizeFaults("a.ts", "x\n".repeat(400))).toEqual([]);
  expect(findSizeFaults("a.ts", "x\n".repeat(401))).toEqual(["a.ts has 401 lines, at most 400"]);
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

describe("paths", () => {
  test.each([
    "lib/gateway/roles/saveRole.ts",
    "lib/gateway/roles/Save-Role.ts",
    "lib/gateway/roles/index.ts",
    "lib/console/utils.ts",
    "components/helpers/merge.ts",
    "app/(console)/workspace/page.tsx",
    "app/(console)/[projectId]/page.tsx",
  ])("%s is refused", (path) => {
    expect(findPathFaults(path)).toHaveLength(1);
  });

  test.each([
    "README.md",
    "lib/console/README.md",
    "playwright.config.ts",
    ".ci/run",
    "app/(console)/rate-limits/[project]/page.tsx",
    "app/api/[...path]/route.ts",
    "lib/gateway/rate-limits/save-rate-limit.test.ts",
  ])("%s passes", (path) => {
    expect(findPathFaults(path)).toEqual([]);
  });
});

test("a declared name that uses a synonym is a fault that names the word", () => {
  const source = ["saveCredit", "wallet_id", "creditor"].map((name) => `const ${name} = 1;`).join("\n");
  expect(findWordFaults("a.ts", source)).toEqual([
    'a.ts: saveCredit: say balance instead of "credit"',
    'a.ts: wallet_id: say balance instead of "wallet"',
  ]);
});
