import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

const CODE = /\/_next\/static\/chunks\/.*\.js/;

test("a dialog whose code can't be loaded says so, leaves its screen as it is, and opens once it can", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/projects");
  await page.waitForLoadState("networkidle");
  await page.route(CODE, (route) => route.abort());
  const create = page.getByRole("button", { name: "Create project", exact: true });
  await create.click();
  const notifications = page.getByRole("region", { name: "Notifications" });
  await expect(notifications).toContainText("This part of the console could not be loaded.");
  await expect(page.getByRole("heading", { name: "Projects", level: 1 })).toBeVisible();
  await page.unroute(CODE);
  await create.click();
  await expect(page.getByRole("dialog", { name: "Create project" })).toBeVisible();
});

test("a drawer whose code can't be loaded closes, and opens once it can", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/audit-logs");
  await page.waitForLoadState("networkidle");
  await page.route(CODE, (route) => route.abort());
  const newest = page.getByRole("table", { name: "Changes, newest first" }).getByRole("link").first();
  await newest.click();
  const notifications = page.getByRole("region", { name: "Notifications" });
  await expect(notifications).toContainText("This part of the console could not be loaded.");
  await expect(page).toHaveURL(/\/audit-logs$/);
  await page.unroute(CODE);
  await newest.click();
  await expect(page.getByRole("dialog", { name: "Signed in" })).toBeVisible();
});

test("a key can be created for a service account once the code for that can be loaded", async ({
  page,
  context,
  gatehouse,
}) => {
  const projectId = await createSelectedProject(context, gatehouse, "Missing code");
  await adminApi(gatehouse).call("POST", `/projects/${projectId}/service_accounts`, { name: "deploys" });
  await signIn(page, gatehouse);
  await page.goto(`/projects/${projectId}/keys`);
  await page.waitForLoadState("networkidle");
  await page.route(CODE, (route) => route.abort());
  const create = page.getByRole("button", { name: "Create a key for “deploys”" });
  await create.click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("could not be loaded");
  await page.unroute(CODE);
  await create.click();
  await expect(page.getByRole("dialog", { name: "Create a key for “deploys”" })).toBeVisible();
});
