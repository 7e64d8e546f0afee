import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { adminApi } from "../../support/clients/admin-api";
import { fireSpendAlert } from "../../support/clients/fire-alert";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";

/** The answers of the receiver: 503 until it is mended. */
let status = 503;
let arrived = 0;

test.use({
  scene: "spend alert delivery",
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern.
  environment: async ({}, use) => {
    const receiver = createServer((_, reply) => {
      if (status === 204) arrived++;
      reply.writeHead(status).end();
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo;
    await use({
      GATEHOUSE_ALERT_URL: `http://127.0.0.1:${port}/alerts`,
      GATEHOUSE_CALLBACK_HOSTS: "127.0.0.1",
    });
    receiver.closeAllConnections();
    await once(receiver.close(), "close");
  },
});

test("finance makes two alerts, sees why neither arrived, sends one again, and deletes with a stale page", async ({
  page,
  gatehouse,
}) => {
  test.setTimeout(120_000);
  const { call, createProject } = adminApi(gatehouse);
  await openAsMember(page.context(), gatehouse, { email: "fin@example.com", name: "Fin", role: "finance" });
  await page.goto("/spend-limits");
  await expect(page.getByText("No alert has fired")).toBeVisible();
  const dialog = page.getByRole("dialog");
  for (const threshold of ["0.02", "0.03"]) {
    await page.getByRole("button", { name: "Create alert" }).click();
    await dialog.getByLabel("Threshold").fill(threshold);
    await dialog.getByLabel("Recipients").fill("finance@example.com");
    await dialog.getByRole("button", { name: "Create alert" }).dblclick();
    await expect(dialog).toBeHidden();
  }
  const alerts = page.getByRole("table", { name: /^Spend alerts of/ });
  await expect(alerts.getByRole("row")).toHaveCount(3);

  const { id } = await createProject("Spender");
  await fireSpendAlert(id, gatehouse);
  await page.reload();
  const fired = page.getByRole("table", { name: "Fired alerts, newest first" });
  await expect(fired.getByRole("row", { name: /Organization/ })).toHaveCount(2);
  const third = fired.getByRole("row", { name: /Organization 0\.03/ });
  await expect(third).toContainText("503", { timeout: 20_000 });
  await expect(third).toContainText("next at");
  await expectNoAxeViolations(page);

  status = 204;
  await third.getByRole("button", { name: "Send again" }).dblclick();
  await expect(page.getByText("It is being sent again").last()).toBeVisible();
  await expect(third).toContainText(/delivered/i, { timeout: 20_000 });
  expect(arrived).toBe(1);
  await expect(third).not.toContainText("503");

  const { data } = await call<{ data: { id: string; threshold_amount: number }[] }>("GET", "/spend_alerts");
  const findId = (cents: number) => data.find((alert) => alert.threshold_amount === cents)?.id ?? "";
  await page.getByRole("button", { name: "Delete the alert at 0.02" }).click();
  await call("DELETE", `/spend_alerts/${findId(2)}`);
  await dialog.getByRole("button", { name: "Delete alert" }).click();
  await expect(page.getByText("The alert at 0.02 USD had already been deleted.").last()).toBeVisible();
  await expect(alerts.getByRole("row")).toHaveCount(2);

  // What was typed over an alert that a colleague has deleted is not lost without a word.
  await page.getByRole("button", { name: "Change the alert at 0.03" }).click();
  await dialog.getByLabel("Subject prefix").fill("[late]");
  await call("DELETE", `/spend_alerts/${findId(3)}`);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog.getByText("Someone deleted this while you were editing")).toBeVisible();
  await expect(dialog.getByLabel("Subject prefix")).toHaveValue("[late]");
});
