import { expect, test } from "bun:test";
import { selectTests } from "@/lib/dev/test-run/select-tests";

const files = [
  "README.md",
  "e2e/api/people/users.test.ts",
  "e2e/bench/load/reply-reader.test.ts",
  "e2e/browser/people/member-upkeep.spec.ts",
  "e2e/browser/people/members.spec.ts",
  "e2e/support/forms/every-form.test.ts",
  "lib/gateway/members/join.test.ts",
  "lib/gateway/members/join.ts",
];
const none = { units: [], api: [], browser: [], unknown: [] };

test("without a word every test file has its runner", () => {
  expect(selectTests(files, [])).toEqual({
    units: [
      "e2e/bench/load/reply-reader.test.ts",
      "e2e/support/forms/every-form.test.ts",
      "lib/gateway/members/join.test.ts",
    ],
    api: ["e2e/api/people/users.test.ts"],
    browser: ["e2e/browser/people/member-upkeep.spec.ts", "e2e/browser/people/members.spec.ts"],
    unknown: [],
  });
});

test("a word is a runner, a file's name, its path or a folder", () => {
  expect(selectTests(files, ["members"])).toEqual({
    ...none,
    browser: ["e2e/browser/people/members.spec.ts"],
  });
  expect(selectTests(files, ["members.spec.ts"])).toEqual({
    ...none,
    browser: ["e2e/browser/people/members.spec.ts"],
  });
  expect(selectTests(files, ["./e2e/api/people/users.test.ts", "join"])).toEqual({
    ...none,
    units: ["lib/gateway/members/join.test.ts"],
    api: ["e2e/api/people/users.test.ts"],
  });
  expect(selectTests(files, ["api"])).toEqual({ ...none, api: ["e2e/api/people/users.test.ts"] });
  expect(selectTests(files, ["lib/gateway/"])).toEqual({
    ...none,
    units: ["lib/gateway/members/join.test.ts"],
  });
});

test("a word that no test goes by is named", () => {
  expect(selectTests(files, ["member", "README.md"])).toEqual({ ...none, unknown: ["member", "README.md"] });
});
