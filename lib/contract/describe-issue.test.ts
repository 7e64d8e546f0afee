import { expect, test } from "bun:test";
import * as z from "zod/mini";
import { describeIssue } from "./describe-issue";
import { roleDraft } from "./operations/people/roles";

const firstMessage = (schema: z.ZodMiniType, value: unknown) =>
  z.safeParse(schema, value, { error: describeIssue }).error?.issues[0]?.message;

test.each<[string, z.ZodMiniType, unknown, string]>([
  ["a missing field", z.strictObject({ name: z.string() }), {}, "is required"],
  ["a wrong type", z.string(), 1, "must be a string"],
  ["a wrong type", z.boolean(), "yes", "must be true or false"],
  ["a broken number", z.int(), 1.5, "must be a whole number"],
  ["a number beyond all", z.int(), Number("1e400"), "must be a finite number"],
  ["too little", z.int().check(z.minimum(0)), -1, "must be at least 0"],
  ["too much", z.string().check(z.maxLength(1)), "ab", "must be at most 1 character"],
  ["nothing", z.string().check(z.minLength(1)), "", "must not be empty"],
  ["an unknown word", z.enum(["a", "b", "c"]), "d", 'must be "a", "b" or "c"'],
  ["an unknown field", z.strictObject({}), { x: 1 }, "has no such field: x"],
  [
    "an unknown permission",
    roleDraft,
    { role_name: "x", permissions: ["api.role.read"] },
    "is not a permission; did you mean api.roles.read?",
  ],
])("%s has an error in plain words", (_, schema, value, words) => {
  expect(firstMessage(schema, value)).toBe(words);
});
