import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "request histogram" });

const HOUR = 3_600;

test.beforeEach(async ({ page, gatehouse }, { title }) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject(title.slice(0, 100));
  const { value } = await api.createKey(project.id, "nightly-eval");
  await callModel(gatehouse, value, "sandbox-echo");
  await callModel(gatehouse, value, "sandbox-echo");
  await callModel(gatehouse, value, "sandbox-500", { status: 502 });
  await signIn(page, gatehouse);
  // A past range always shows the same, whenever it is read.
  const now = Math.floor(Date.now() / 1000);
  const to = now - (now % HOUR) + 2 * HOUR;
  await page.goto(`/requests?project_id=${project.id}&from=${to - 12 * HOUR}&to=${to}`);
  await expect(chart(page)).toBeVisible();
});

const chart = (page: Page) => page.getByRole("slider", { name: "Calls over time" });
const readRange = (page: Page) => {
  const { searchParams } = new URL(page.url());
  return { from: Number(searchParams.get("from")), to: Number(searchParams.get("to")) };
};

test("the context menu of the histogram chooses no range", async ({ page }) => {
  const whole = readRange(page);
  await chart(page).click({ button: "right", position: { x: 40, y: 20 } });
  await chart(page).press("End");
  expect(readRange(page)).toEqual(whole);
});

test("dragging over the histogram shows only that time, and going back shows all of it again", async ({
  page,
}) => {
  const whole = readRange(page);
  const box = await chart(page).boundingBox();
  if (!box) throw new Error("The histogram has no place on the screen");
  const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
  await page.mouse.move(...at(0.2));
  await page.mouse.down();
  await page.mouse.move(...at(0.35));
  await page.mouse.move(...at(0.5));
  await page.mouse.up();
  await expect.poll(() => readRange(page).from).toBeGreaterThan(whole.from);
  const { from, to } = readRange(page);
  expect(to).toBeLessThan(whole.to);
  // Selects from a fifth to a half of the chart.
  expect(Math.abs(from - (whole.from + 0.2 * 12 * HOUR))).toBeLessThan(HOUR / 2);
  expect(Math.abs(to - (whole.from + 0.5 * 12 * HOUR))).toBeLessThan(HOUR / 2);
  await expect(page.getByText("No calls match these filters")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("table", { name: "Calls, newest first" }).getByRole("row")).toHaveCount(4);
  expect(readRange(page)).toEqual(whole);
});

test("the keyboard reads each bar, chooses several, and shows their time on Enter", async ({ page }) => {
  const whole = readRange(page);
  await chart(page).focus();
  await page.keyboard.press("Home");
  await expect(chart(page)).toHaveAttribute("aria-valuenow", "0");
  await expect(chart(page)).toHaveAttribute("aria-valuetext", /no call/i);
  const last = Number(await chart(page).getAttribute("aria-valuemax"));
  await page.keyboard.press("End");
  await expect(chart(page)).toHaveAttribute("aria-valuenow", String(last));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  for (let step = 0; step < 3; step++) await page.keyboard.press("Shift+ArrowRight");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect.poll(() => readRange(page).to).toBeLessThan(whole.to);
  const { from, to } = readRange(page);
  expect(from).toBe(whole.from);
  expect((to - from) / 4).toBe((whole.to - whole.from) / (last + 1));
});

test("its table has the same numbers, of the times that have a call", async ({ page }) => {
  await page.getByText("Show as a table").click();
  const table = page.getByRole("region", { name: "Calls over time, as a table" });
  const cells = table.getByRole("row").nth(1).getByRole("cell");
  await expect(table.getByRole("row")).toHaveCount(2);
  const heads = await table.getByRole("columnheader").allTextContents();
  const numbers = await cells.allTextContents();
  expect(heads.slice(1).map((head, index) => [head, numbers[index]])).toEqual(
    expect.arrayContaining([
      ["Completed", "2"],
      ["Failed", "1"],
    ]),
  );
  await expectNoAxeViolations(page);
});
