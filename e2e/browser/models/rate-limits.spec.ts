import type { Page } from "@playwright/test";
import { rateLimitRows } from "@/lib/contract/calls/rate-limit-table";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { findField, findSaveButton } from "../../support/pages/find-on-page";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "rate-limits" });

type Api = ReturnType<typeof adminApi>;
let api: Api;
let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  api = adminApi(gatehouse);
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

async function open(page: Page, model = "sandbox-echo"): Promise<void> {
  await page.goto(`/rate-limits/rl_${model}`);
  await expect(findField(page, "Requests per minute")).toHaveValue("600");
}

/** The limits that the gateway itself reports. */
async function readLimit(model = "sandbox-echo"): Promise<RateLimit> {
  const { data } = await api.call<{ data: RateLimit[] }>("GET", `/projects/${projectId}/rate_limits`);
  const found = data.find((limit) => limit.model === model);
  if (!found) throw new Error(`no rate limit of ${model}`);
  return found;
}

test("by keyboard: a row opens, 3 is typed, Enter saves, a reload shows it", async ({ page }) => {
  await page.goto("/rate-limits");
  await page.locator("[data-cell-input]").focus();
  await page.keyboard.press("Home");
  for (let row = 0; row < 30; row++) {
    if (
      await page
        .getByRole("link", { name: "sandbox-echo" })
        .evaluate((link) => link === document.activeElement)
    )
      break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await page.waitForURL("**/limits/sandbox-echo");
  // All fields are present and apply to a chat model, since a chat may contain images and audio.
  await expect(page.getByRole("group", { name: "Limits in effect" }).getByRole("textbox")).toHaveCount(
    rateLimitRows.length,
  );
  await expect(page.getByText(/No effect for/)).toHaveCount(0);
  await findField(page, "Requests per minute").focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("3");
  await expect(page.getByText("1 unsaved change")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved 1 change")).toBeVisible();
  await expectNoAxeViolations(page);
  expect((await readLimit()).max_requests_per_1_minute).toBe(3);
  await page.reload();
  await expect(findField(page, "Requests per minute")).toHaveValue("3");
  await page.goto("/rate-limits");
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: /^sandbox-echo/ }) });
  await expect(row.getByRole("gridcell").first()).toHaveText("3");
});

test("1k is understood as 1,000, and only what changed is sent", async ({ page }) => {
  await open(page);
  await findField(page, "Requests per minute").fill("1k");
  await expect(page.getByText("= 1,000 requests / min")).toBeVisible();
  await findField(page, "Requests per day").fill("1_000_000");
  await expect(findSaveButton(page)).toHaveText("Save 2 changes");
  // Somebody else changes another field meanwhile, which must not be reverted.
  await api.saveRateLimit(projectId, "sandbox-echo", { max_tokens_per_1_minute: 77 });
  await findSaveButton(page).click();
  await expect(page.getByText("Saved 2 changes")).toBeVisible();
  await expect(findField(page, "Requests per minute")).toHaveValue("1,000");
  await expect(findField(page, "Tokens per minute")).toHaveValue("77");
  expect(await readLimit()).toMatchObject({
    max_requests_per_1_minute: 1_000,
    max_tokens_per_1_minute: 77,
    max_requests_per_1_day: 1_000_000,
  });
});

test("explains an invalid whole number, and keeps the input", async ({ page }) => {
  await open(page);
  const typed = { "Requests per minute": "-1", "Tokens per minute": "1.5", "Requests per day": "many" };
  for (const [label, text] of Object.entries(typed)) await findField(page, label).fill(text);
  await page.keyboard.press("Enter");
  await expect(page.getByText("3 fields need attention. Nothing was saved.")).toBeVisible();
  await expect(findField(page, "Requests per minute")).toBeFocused();
  await expect(findField(page, "Requests per minute")).toHaveAccessibleDescription("Enter 0 or more.");
  await expect(findField(page, "Tokens per minute")).toHaveAccessibleDescription(/without a fraction/);
  await expect(findField(page, "Requests per day")).toHaveAccessibleDescription(/Enter a whole number/);
  for (const [label, text] of Object.entries(typed)) {
    await expect(findField(page, label)).toHaveValue(text);
    await expect(findField(page, label)).toHaveAttribute("aria-invalid", "true");
  }
  await expectNoAxeViolations(page);
  await findField(page, "Requests per minute").fill("");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Requests per minute is required.")).toBeVisible();

  await page.getByRole("button", { name: "Discard" }).click();
  await expect(findField(page, "Requests per minute")).toHaveValue("600");
  await expect(findField(page, "Tokens per minute")).toHaveValue("1,000,000");
  await expect(findField(page, "Requests per day")).toHaveValue("");
  await expect(findSaveButton(page)).toBeDisabled();
  expect(await readLimit()).toMatchObject({ max_requests_per_1_minute: 600, max_requests_per_1_day: null });
});

test("an optional limit is removed, a default comes back, and 0 says what it does", async ({ page }) => {
  await api.saveRateLimit(projectId, "sandbox-echo", {
    max_requests_per_1_day: 5,
    max_tokens_per_1_minute: 1,
  });
  await page.goto("/rate-limits/rl_sandbox-echo");
  await page.getByRole("button", { name: "Remove limit: Requests per day" }).click();
  await expect(findField(page, "Requests per day")).toHaveValue("");
  await page.getByRole("button", { name: "Reset to default: Tokens per minute" }).click();
  await expect(findField(page, "Tokens per minute")).toHaveValue("1,000,000");
  await expect(page.getByRole("button", { name: "Remove limit: Requests per minute" })).toHaveCount(0);
  await findField(page, "Requests per minute").fill("0");
  await expect(page.getByText(/0 lets nothing through/)).toBeVisible();
  await expectNoAxeViolations(page);
  await findSaveButton(page).click();
  await expect(page.getByText("Saved 3 changes")).toBeVisible();
  expect(await readLimit()).toMatchObject({
    max_requests_per_1_minute: 0,
    max_tokens_per_1_minute: 1_000_000,
    max_requests_per_1_day: null,
  });
});

test("a save is undone with one press", async ({ page }) => {
  await open(page);
  await findField(page, "Requests per minute").fill("3");
  await findField(page, "Requests per day").fill("9");
  await findSaveButton(page).click();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  await expect(findField(page, "Requests per minute")).toHaveValue("600");
  await expect(findField(page, "Requests per day")).toHaveValue("");
  expect(await readLimit()).toMatchObject({ max_requests_per_1_minute: 600, max_requests_per_1_day: null });
});

test("a save that gets no reply shows an error and keeps the input", async ({ page, context }) => {
  await open(page);
  await findField(page, "Requests per minute").fill("42");
  await context.setOffline(true);
  await findSaveButton(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "It may have been saved" })).toBeVisible();
  await expect(findField(page, "Requests per minute")).toHaveValue("42");
  await expect(findSaveButton(page)).toHaveText("Save 1 change");
  await context.setOffline(false);
  await findSaveButton(page).click();
  await expect(page.getByText("Saved 1 change")).toBeVisible();
});

test("leaving with unsaved changes asks, by link and by the back button", async ({ page }) => {
  await page.goto("/rate-limits");
  await page.getByRole("link", { name: /^sandbox-echo/ }).click();
  await findField(page, "Requests per minute").fill("5");
  await page.getByRole("navigation").getByRole("link", { name: "People" }).click();
  const question = page.getByRole("dialog", { name: "Discard 1 unsaved change?" });
  await expect(question).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(findField(page, "Requests per minute")).toHaveValue("5");

  await page.evaluate(() => window.history.back());
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Discard changes" }).click();
  await page.waitForURL(/\/limits$/);
  expect((await readLimit()).max_requests_per_1_minute).toBe(600);
});

test("limits that don’t apply to a model stand apart in its form", async ({ page }) => {
  await api.createModel({
    id: "vectors",
    family: "embedding",
    rate: "0.5",
    price: { input_per_1m: "1", output_per_1m: "0" },
    routes: [{ provider: "sandbox", model: "sandbox-echo" }],
  });
  await page.goto("/rate-limits/rl_vectors");
  const idleCount = rateLimitRows.filter(({ families }) => !families.includes("embedding")).length;
  const idle = page.getByRole("group", { name: /^No effect for embedding models/ });
  await expect(idle.getByRole("textbox")).toHaveCount(idleCount);
  await page.goto("/rate-limits/rl_nothing-like-it");
  await expect(page.getByRole("heading", { name: "There is no such rate limit" })).toBeVisible();
  await expectNoAxeViolations(page);
});

test("another project has limits of its own", async ({ page }) => {
  await open(page);
  await findField(page, "Requests per minute").fill("3");
  await findSaveButton(page).click();
  await expect(page.getByText("Saved 1 change")).toBeVisible();
  const other = await api.createProject(`Other ${Date.now()}`);
  await page.reload();
  await page.getByRole("button", { name: /another project has limits/ }).click();
  await page.getByRole("menuitemradio", { name: other.name }).click();
  await expect(page.getByText(`Rate limits in project ${other.name}`)).toBeVisible();
  await expect(findField(page, "Requests per minute")).toHaveValue("600");
});

test("on a phone nothing scrolls sideways", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto("/rate-limits");
  await expect(page.getByRole("link", { name: /^sandbox-echo/ })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: /^sandbox-echo/ }).click();
  await findField(page, "Requests per minute").fill("1.5");
  await page.keyboard.press("Enter");
  await expect(page.getByText("One field needs attention. Nothing was saved.")).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
});

test("a saved limit is proved: what it admits and refuses, and the ledger back at zero", async ({ page }) => {
  await api.call("POST", `/projects/${projectId}/rate_limits/sandbox-echo`, {
    max_requests_per_1_minute: 25,
  });
  await page.goto("/rate-limits/rl_sandbox-echo");
  const prove = page.getByRole("button", { name: "Prove it: Requests per minute" });
  await prove.click();
  const proof = page.getByRole("region", { name: "Proof: Requests per minute" });
  await expect(proof.getByText("The limit holds")).toBeVisible();
  await expect(proof).toContainText("25 admitted, 5 refused by requests per minute");
  await expect(proof).toContainText("held 0.00 for 0 calls, charged 0.00");
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);
  // What isn't saved can't be proved.
  await findField(page, "Requests per minute").fill("30");
  await expect(prove).toHaveCount(0);
  await proof.getByRole("link", { name: "View receipt" }).click();
  await expect(page.getByRole("heading", { name: /Requests per minute/ })).toBeVisible();
});

test("on a phone, too, a typed limit says what it would have done before it is saved", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await open(page);
  await findField(page, "Requests per minute").fill("5");
  await expect(page.getByRole("status", { name: "Effect of this limit" })).toHaveText(
    "No calls in the last 7 days.",
  );
});

test("a limit that calls of the sandbox can't reach says so", async ({ page }) => {
  await api.call("POST", `/projects/${projectId}/rate_limits/sandbox-echo`, {
    max_requests_per_1_minute: 90_000,
  });
  await page.goto("/rate-limits/rl_sandbox-echo");
  await page.getByRole("button", { name: "Prove it: Requests per minute" }).click();
  await expect(page.getByRole("region", { name: /^Proof/ })).toContainText(
    "too high to prove with 2000 calls",
  );
});
