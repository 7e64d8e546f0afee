import { expect, test } from "bun:test";
import { listQuestions } from "./command-palette";

const ask = (search: string, organization: readonly string[] = ["api.role_assignments.read"]) =>
  listQuestions(search, { organization, project: [] }, () => {}).map(({ id }) => id);

test("a question leads to who holds what it is about", () => {
  expect(ask("who can rotate keys?")).toEqual(["who-can-api.project_api_keys.write"]);
  expect(ask("Who may close months")).toEqual(["who-can-api.statements.write"]);
});

test("other searches are no questions, and those who don't see roles get no answers", () => {
  expect(ask("whole ledger")).toEqual([]);
  expect(ask("rotate keys")).toEqual([]);
  expect(ask("who can rotate keys", [])).toEqual([]);
});
