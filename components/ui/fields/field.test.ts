import { expect, test } from "bun:test";
import { describeError } from "./field";

test("a predicate of the contract gets the field's label as its subject", () => {
  expect(describeError("Name", "must not be empty")).toBe("Name must not be empty.");
  expect(describeError("Requests per minute", "is required")).toBe("Requests per minute is required.");
});

test("a sentence stays as it is", () => {
  expect(describeError("Name", "There is a role “Auditor” already.")).toBe(
    "There is a role “Auditor” already.",
  );
  expect(describeError("Name", undefined)).toBeUndefined();
});
