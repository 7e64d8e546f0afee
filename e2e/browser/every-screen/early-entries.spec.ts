import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { holdScripts } from "../../support/pages/hold-scripts";
import { signIn } from "../../support/pages/sign-in";

/** How long a busy machine may take to load the scripts. */
const LOADED_MS = 15_000;

test.beforeEach(async ({ page, gatehouse }) => signIn(page, gatehouse));

test("boxes that are ticked before the page's script has loaded are sent with the form", async ({
  page,
  gatehouse,
}) => {
  const release = await holdScripts(page);
  await page.goto("/roles/new", { waitUntil: "commit" });
  await page.getByLabel("Name", { exact: true }).fill("Ticked early");
  await page.getByRole("checkbox", { name: "api.ledger.read" }).check();
  await page.getByRole("checkbox", { name: "api.roles.read" }).check();
  await page.getByRole("checkbox", { name: "api.ledger.read" }).uncheck();
  await page.getByRole("button", { name: "Create role" }).click();
  await release();
  await expect(page).toHaveURL(/\/roles\/(?!new)/, { timeout: LOADED_MS });
  const { data } = await adminApi(gatehouse).call<{ data: { name: string; permissions: string[] }[] }>(
    "GET",
    "/roles",
  );
  expect(data.find(({ name }) => name === "Ticked early")?.permissions).toEqual(["api.roles.read"]);
});

test("filters that are typed and chosen before the page's script has loaded filter", async ({ page }) => {
  let release = await holdScripts(page);
  await page.goto("/models", { waitUntil: "commit" });
  await page.getByRole("searchbox", { name: "Search models" }).fill("sandbox-slow");
  await release();
  await expect(page).toHaveURL(/q=sandbox-slow/, { timeout: LOADED_MS });
  await expect(page.getByRole("searchbox", { name: "Search models" })).toHaveValue("sandbox-slow");
  await expect(page.getByRole("row", { name: /sandbox-echo/ })).toHaveCount(0);

  await page.unrouteAll();
  release = await holdScripts(page);
  await page.goto("/requests", { waitUntil: "commit" });
  await page.getByLabel("Time", { exact: true }).selectOption("90d");
  await release();
  await expect(page).toHaveURL(/range=90d/, { timeout: LOADED_MS });
  await expect(page.getByLabel("Time", { exact: true })).toHaveValue("90d");
});
