import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { adminApi } from "../../support/clients/admin-api";
import { fireSpendAlert } from "../../support/clients/fire-alert";
import { expect, test } from "../../support/fixtures/test";
import { expectFocusKept, goByPalette, tabTo } from "../../support/pages/keyboard";
import { openAsMember } from "../../support/pages/open-as-member";

/** The answers of the receiver: 503 until it is mended. */
let status = 503;

// A story without a mouse: nothing here may click, hover, fill or focus.
test.use({
  scene: "spend alert keyboard",
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern.
  environment: async ({}, use) => {
    const receiver = createServer((_, reply) => reply.writeHead(status).end()).listen(0, "127.0.0.1");
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

test("finance creates, changes, sends again and deletes a spend alert by the keyboard alone", async ({
  page,
  gatehouse,
}) => {
  test.setTimeout(120_000);
  await openAsMember(page.context(), gatehouse, { email: "kim@example.com", name: "Kim", role: "finance" });
  await page.goto("/");
  await goByPalette(page, "spend limits");
  await expect(page).toHaveURL("/spend-limits");
  const create = page.getByRole("button", { name: "Create alert" }).first();
  const dialog = page.getByRole("dialog");
  await tabTo(page, create);
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Threshold")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(create).toBeFocused();
  await page.keyboard.press("Enter");

  // What is wrong has the focus, and what was typed is kept.
  await expect(dialog.getByLabel("Threshold")).toBeFocused();
  await page.keyboard.type("0.02");
  await tabTo(page, dialog.getByLabel("Recipients"));
  await page.keyboard.type("nobody");
  await tabTo(page, dialog.getByRole("button", { name: "Create alert" }));
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("“nobody” is not an email address");
  await expect(dialog.getByLabel("Recipients")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type("@example.com");
  // A line of the field takes Enter, so the form is sent from the last one.
  await tabTo(page, dialog.getByLabel("Subject prefix"));
  await page.keyboard.press("Enter");
  const alerts = page.getByRole("table", { name: /^Spend alerts of/ });
  await expect(alerts.getByRole("row", { name: /nobody@example\.com/ })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expectFocusKept(page);

  const change = alerts.getByRole("button", { name: "Change the alert at 0.02" });
  await tabTo(page, change);
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Threshold")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("0.03");
  await page.keyboard.press("Enter");
  await expect(alerts.getByRole("row", { name: /0\.03/ })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(alerts.getByRole("button", { name: "Change the alert at 0.03" })).toBeFocused();

  await fireSpendAlert((await adminApi(gatehouse).createProject("Spender")).id, gatehouse);
  await page.reload();
  const fired = page.getByRole("table", { name: "Fired alerts, newest first" });
  const firing = fired.getByRole("row", { name: /Organization/ });
  await expect(firing).toContainText("503", { timeout: 20_000 });
  status = 204;
  const sendAgain = firing.getByRole("button", { name: "Send again" });
  await tabTo(page, sendAgain);
  await page.keyboard.press("Enter");
  await expect(page.getByText("It is being sent again").last()).toBeVisible();
  await expect(sendAgain).toBeFocused();
  await expect(firing).toContainText(/delivered/i, { timeout: 20_000 });
  await expectFocusKept(page);

  const remove = alerts.getByRole("button", { name: "Delete the alert at 0.03" });
  // Everything on the way back can be reached too.
  for (let stop = 0; stop < 60; stop++) {
    await page.keyboard.press("Shift+Tab");
    if (await remove.evaluate((element) => element === document.activeElement)) break;
  }
  await expect(remove).toBeFocused();
  await page.keyboard.press("Enter");
  await expectFocusKept(page);
  await page.keyboard.press("Escape");
  await expect(remove).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, dialog.getByRole("button", { name: "Delete alert" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("No spend alerts yet")).toBeVisible();
  await expectFocusKept(page);
});
