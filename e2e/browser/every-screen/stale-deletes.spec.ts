import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

type Removal = {
  path: string;
  /** The label of the button on the page and in the confirmation. */
  open: string;
  confirm: string;
  /** Changes the object over the API, as another user would. */
  change: () => Promise<unknown>;
  isThere: () => Promise<boolean>;
};

/** Objects that the console can delete and that can change meanwhile. */
const removals: Readonly<Record<string, (gatehouse: Gatehouse) => Promise<Removal>>> = {
  role: async (gatehouse) => {
    const { call } = adminApi(gatehouse);
    const draft = { role_name: "To delete", permissions: ["api.roles.read"] };
    const { id } = await call<{ id: string }>("POST", "/roles", draft);
    return {
      path: `/roles/${id}`,
      open: "Delete role",
      confirm: "Delete role",
      change: () => call("POST", `/roles/${id}`, { role_name: "Renamed" }),
      isThere: () => isListed(gatehouse, "/roles?limit=1000", id),
    };
  },
  member: async (gatehouse) => {
    const { id } = await joinMember(gatehouse, "rem@example.com", { name: "Rem" });
    return {
      path: `/members/${id}`,
      open: "Remove member",
      confirm: "Remove member",
      change: () => adminApi(gatehouse).call("POST", `/users/${id}`, { role: "finance" }),
      isThere: () => isListed(gatehouse, "/users?limit=100", id),
    };
  },
  provider: async (gatehouse) => {
    const { call, createProvider } = adminApi(gatehouse);
    await createProvider("stale-provider", "http://127.0.0.1:9/v1");
    return {
      path: "/providers",
      open: "Delete provider “stale-provider”",
      confirm: "Delete provider",
      change: async () => {
        await call("DELETE", "/providers/stale-provider");
        await createProvider("stale-provider", "http://127.0.0.1:10/v1");
      },
      isThere: () => isListed(gatehouse, "/providers", "stale-provider"),
    };
  },
};

async function isListed(gatehouse: Gatehouse, path: string, id: string): Promise<boolean> {
  const { data } = await adminApi(gatehouse).call<{ data: { id: string }[] }>("GET", path);
  return data.some((object) => object.id === id);
}

for (const [name, make] of Object.entries(removals)) {
  test(`a ${name} that somebody else has changed is not deleted unseen`, async ({ page, gatehouse }) => {
    const removal = await make(gatehouse);
    await signIn(page, gatehouse);
    await page.goto(removal.path);
    await page.getByRole("button", { name: removal.open }).click();
    await removal.change();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: removal.confirm });
    await confirm.click();
    await expect(dialog.getByRole("alert")).toHaveText(/^Somebody else changed this after you opened/);
    await expectNoAxeViolations(page);
    expect(await removal.isThere()).toBe(true);

    // The page behind the dialog now shows the present state, so the user may continue.
    await confirm.click();
    await expect(dialog).toBeHidden();
    expect(await removal.isThere()).toBe(false);
  });
}
