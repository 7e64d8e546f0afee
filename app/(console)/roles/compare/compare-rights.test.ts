import { expect, test } from "bun:test";
import { listSections } from "@/components/roles/permission-groups";
import { describeDifference, describeRights, summarizeComparison, writeMatrixCsv } from "./compare-rights";

const names = ["api.groups.read", "api.groups.write", "api.ledger.read"];
const [groups] = listSections(names)[0]?.resources ?? [];
if (!groups) throw new Error("no resource");
const admin = { name: "Admin", permissions: ["api.groups.read", "api.groups.write"] };
const reader = { name: "Reader", permissions: ["api.groups.read", "api.ledger.read"] };

test("two roles differ in words, and not at all where they are alike", () => {
  expect(describeDifference(groups, admin, reader)).toEqual([{ only: "Admin", verbs: "writes" }]);
  expect(describeDifference(groups, reader, { name: "None", permissions: [] })).toEqual([
    { only: "Reader", verbs: "reads" },
  ]);
  expect(describeDifference(groups, admin, admin)).toEqual([]);
  expect(describeRights(groups, admin)).toBe("may read and write");
  expect(describeRights(groups, { name: "", permissions: [] })).toBe("nothing");
});

test("the headline says who may do more", () => {
  expect(summarizeComparison(names, admin, { name: "None", permissions: ["api.groups.read"] })).toEqual({
    differences: 1,
    headline: "Admin may do 1 thing that None may not",
    sentence: "They share 1 of 3 permissions. Nothing is allowed to None alone.",
  });
  expect(summarizeComparison(names, admin, reader).sentence).toBe(
    "They share 1 of 3 permissions. 1 thing is allowed to Reader alone.",
  );
  expect(summarizeComparison(names, admin, admin).headline).toBe("Admin and Admin may do the same");
});

test("the file has every permission and every role", () => {
  expect(writeMatrixCsv(names, [admin, reader])).toBe(
    "permission,Admin,Reader\r\napi.groups.read,yes,yes\r\napi.groups.write,yes,no\r\napi.ledger.read,no,yes\r\n",
  );
});
