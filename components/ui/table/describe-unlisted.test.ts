import { expect, test } from "bun:test";
import { describeNoMatch, describeUnlisted } from "./describe-unlisted";

const part = { noun: "group", loaded: 1_000 };
const none = "No group has “zoo” in its name.";

test("a search of a list that has more rows doesn't say that nothing is there", () => {
  expect(describeNoMatch({ ...part, hasMore: false }, "zoo", none)).toBe(none);
  expect(describeNoMatch({ ...part, hasMore: true }, "zoo", none)).toBe(
    "None of the first 1,000 groups matches “zoo”. The others are not searched.",
  );
});

test("a list says which of its rows are missing, and where they are", () => {
  expect(describeUnlisted({ ...part, hasMore: false })).toBeNull();
  expect(describeUnlisted({ ...part, hasMore: true })).toBe(
    "Only the first 1,000 groups are listed and searched. The CSV file has them all.",
  );
});
