import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { DESK, PHONE } from "../../support/pages/viewports";
import { runScript } from "../../support/programs/run-script";

test.use({ scene: "reconcile" });

test("a finance person sees that the books are right, and which entry is wrong where they are not", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Books");
  const key = await api.createKey(project.id, "spec");
  const requestId = await callModel(gatehouse, key.value, "sandbox-echo");
  await signIn(page, gatehouse);
  await page.goto("/reconcile");
  await expect(page.getByText(/The books are right: (\d+) of \1 checks passed/)).toBeVisible();
  await expect(page.getByRole("row", { name: /one charge per request.*I6/i })).toContainText("Passed");
  await expect(page.getByRole("row", { name: /^Reported/ })).toContainText("0.0000045");
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);

  runScript("forge-usage", gatehouse.dataFolder, requestId);
  await page.setViewportSize(DESK);
  await page.getByRole("button", { name: "Check from the first entry" }).click();
  await expect(page.getByText(/of \d+ checks failed/)).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: requestId }).first().click();
  await expect(page).toHaveURL(new RegExp(`/requests/${requestId}$`));
});
