import { expect, test } from "bun:test";
import { findSizeFaults } from "@/lib/dev/checks/check-sizes-and-names";

test("250 lines pass, 251 do not", () => {
  expect(findSizeFaults("a.ts", "x\n".repeat(250))).toEqual([]);
  expect(findSizeFaults("a.ts", "x\n".repeat(251))).toEqual(["a.ts has 251 lines, at most 250"]);
});
