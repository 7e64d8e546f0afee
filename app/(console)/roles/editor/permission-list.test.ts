import { expect, test } from "bun:test";
import { listNames, listSections } from "@/components/roles/permission-groups";
import { permissions } from "@/lib/contract/access/permissions";
import { findPermissions } from "./find-permissions";

const find = (search: string) => findPermissions(listSections(permissions), search).flatMap(listNames);

test("a question finds what it asks for", () => {
  expect(find("who can rotate keys")).toEqual(["api.project_api_keys.write"]);
  expect(find("Who may close months?")).toEqual(["api.statements.write"]);
});

test("words are found in sentences, names and headings, in any order", () => {
  expect(find("limits rate change")).toEqual(["api.rate_limits.write"]);
  expect(find("api.ledger.read")).toEqual(["api.ledger.read"]);
  expect(find("billing")).toHaveLength(6);
});

test("an empty search finds all, and nonsense nothing", () => {
  expect(find(" ")).toHaveLength(permissions.length);
  expect(find("xylophone")).toEqual([]);
});
