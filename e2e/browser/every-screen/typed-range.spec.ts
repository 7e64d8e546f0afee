import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";

test.use({ timezoneId: "Europe/Berlin" });

test("a range is typed in the person's own zone, its end comes after its start, and it can be changed", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/audit-logs");
  await page.getByLabel("Time", { exact: true }).selectOption("Choose a range…");
  const dialog = page.getByRole("dialog", { name: "Choose a range" });
  await expect(dialog).toContainText("Times are in Europe/Berlin.");
  await expectNoAxeViolations(page);
  await dialog.getByLabel("From").fill("2026-03-02T10:00");
  await dialog.getByLabel("Until").fill("2026-03-02T09:00");
  await dialog.getByRole("button", { name: "Show this range" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("The end must be after the start.");
  await dialog.getByLabel("Until").fill("2026-03-02T11:30");
  await dialog.getByLabel("Until").press("Enter");
  await expect(dialog).toBeHidden();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("from"), searchParams.get("to")]).toEqual(
    ["2026-03-02T09:00:00Z", "2026-03-02T10:30:00Z"].map((time) => String(Date.parse(time) / 1000)),
  );
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await expect(dialog.getByLabel("From")).toHaveValue("2026-03-02T10:00");

  // A date without its time would otherwise be taken for no end at all.
  await dialog.getByLabel("Until").fill("");
  await dialog.getByLabel("Until").press("1");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText("Complete the date and the time, or clear the field.");
  await expect(page).toHaveURL(/to=/);
});

test("a range that begins in the hour that the clock shows twice keeps its own hour", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  const [from, to] = ["2026-10-25T01:45:00Z", "2026-10-25T02:15:00Z"].map((time) => Date.parse(time) / 1000);
  await page.goto(`/audit-logs?from=${from}&to=${to}`);
  await page.getByRole("button", { name: "Change", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Choose a range" });
  await expect(dialog.getByLabel("From")).toHaveValue("2026-10-25T02:45");
  await dialog.getByLabel("Until").fill("2026-10-25T04:00");
  await dialog.getByRole("button", { name: "Show this range" }).click();
  await expect(page).toHaveURL(new RegExp(`from=${from}&`));
});
