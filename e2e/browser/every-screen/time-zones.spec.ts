import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { holdScripts } from "../../support/pages/hold-scripts";
import { listScreens } from "../../support/pages/list-screens";
import { signIn } from "../../support/pages/sign-in";
import { type PastMonth, writeLastMonth } from "../../support/stored-data/past-month";

test.use({ scene: "time zones", environment: { GATEHOUSE_OPENING_BALANCE: "0" } });

/** The payment and the calls are made an hour before last month's end in UTC. */
let month: PastMonth;

const format = (options: Intl.DateTimeFormatOptions) => month.at.toLocaleString("en-GB", options);

test.beforeAll(async ({ gatehouse }) => {
  const { id } = await adminApi(gatehouse).createProject("Pacific");
  month = writeLastMonth(gatehouse, id, 1);
});

function collectFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  return faults;
}

for (const [timeZone, zone] of [
  ["Pacific/Kiritimati", "GMT+14"],
  ["Pacific/Honolulu", "GMT-10"],
] as const) {
  test(`in ${timeZone}, screens name their zone and agree with statement and export`, async ({
    browser,
    gatehouse,
  }) => {
    const utcDay = month.at.toISOString().slice(0, 10);
    const context = await browser.newContext({ baseURL: gatehouse.consoleUrl, timezoneId: timeZone });
    const page = await context.newPage();
    await signIn(page, gatehouse);

    await page.goto("/balance?text=Invoice+9");
    const row = page.getByRole("row", { name: /Invoice 9/ });
    await expect(row).toContainText(format({ dateStyle: "medium", timeStyle: "medium", timeZone }));
    await expect(
      page.getByText(`Times here are in ${zone}, those of exports and statements in UTC.`),
    ).toBeVisible();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "CSV" }).click();
    const csv = await readFile(await (await download).path(), "utf8");
    expect(csv).toContain(`${utcDay} 23:00:00`);

    await page.goto(`/statements/${month.id}`);
    await expect(page.getByText(/ \(UTC\)$/).first()).toBeVisible();
    await expect(page.getByRole("row", { name: /Invoice 9/ })).toContainText(
      format({ dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }),
    );

    const faults = collectFaults(page);
    const end = month.at.getTime() / 1_000 + 3_600;
    await page.goto(`/usage?from=${end - 2 * 86_400}&to=${end + 86_400}&bucket_width=1d&group_by=none`);
    await expect(page.getByLabel("Time", { exact: true }).locator("option:checked")).toContainText(zone);
    const days = page.getByRole("region", { name: /as a table$/ });
    // Calls are summed within a few seconds.
    await expect(async () => {
      await page.reload();
      await page.getByText("Show as a table").click({ timeout: 2_000 });
      await expect(days.getByRole("row", { name: /4\.00/ })).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(days.getByRole("columnheader", { name: "From, UTC" })).toBeVisible();
    const day = format({ day: "numeric", month: "short", timeZone: "UTC" });
    await expect(days.getByRole("row", { name: /4\.00/ }).getByRole("rowheader")).toHaveText(day);
    expect(faults).toEqual([]);
    await context.close();
  });
}

test("no screen that a slow connection loads far from UTC is discarded and drawn anew", async ({
  browser,
  gatehouse,
}) => {
  test.slow();
  const context = await browser.newContext({
    baseURL: gatehouse.consoleUrl,
    timezoneId: "Pacific/Kiritimati",
  });
  const page = await context.newPage();
  const faults = collectFaults(page);
  await signIn(page, gatehouse);
  await page.goto("/projects");
  const screens = listScreens();
  const found: string[] = [];
  for (const screen of screens) {
    const release = await holdScripts(page);
    await page.goto(screen, { waitUntil: "commit" });
    await expect(page.getByRole("main")).toContainText(/\w/);
    await release();
    await page.waitForLoadState("networkidle");
    found.push(...faults.splice(0).map((fault) => `${screen}: ${fault}`));
    await page.unrouteAll();
  }
  expect(screens.length).toBeGreaterThan(20);
  expect(found).toEqual([]);
  await context.close();
});
