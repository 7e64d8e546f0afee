import { expect, test } from "bun:test";
import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { showsApiNames } from "./api-names";

const held = (id: string) => predefinedRoles.find((role) => role.id === id)?.permissions ?? [];

test("the API's names are off for finance until somebody turns them on, and on for who runs the API", () => {
  expect(showsApiNames(undefined, held("role_finance"))).toBe(false);
  expect(showsApiNames(undefined, held("role_admin"))).toBe(true);
  expect(showsApiNames(undefined, held("role_project_owner"))).toBe(true);
  expect(showsApiNames("on", held("role_finance"))).toBe(true);
  expect(showsApiNames("off", held("role_owner"))).toBe(false);
  expect(showsApiNames(undefined, undefined)).toBe(true);
});
