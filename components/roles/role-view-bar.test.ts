import { expect, test } from "bun:test";
import { permissions } from "@/lib/contract/access/permissions";
import { listHiddenScreens } from "./role-view-bar";

const see = (held: readonly string[]) => listHiddenScreens({ organization: held, project: held });

test("nothing is hidden from whoever may do everything", () => {
  expect(see(permissions)).toEqual([]);
});

test("names whole entries, and tabs of those that are left", () => {
  const held = permissions.filter((name) => !/balance|ledger|usage|admin_api_keys/.test(name));
  expect(see(held)).toEqual([
    { entry: "Keys", screens: ["Admin keys"] },
    { entry: "People", screens: ["Directory"] },
    { entry: "Billing", screens: [] },
  ]);
});
