import type { Page } from "@playwright/test";
import type { Balance } from "@/lib/contract/operations/money/balance";
import { adminApi } from "../../support/clients/admin-api";
import { callModel, fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "overview-usage" });

const figure = (page: Page, label: string) => page.locator("dl", { hasText: label });

type Caller = { projectId: string; key: string };

async function createCaller(gatehouse: Gatehouse): Promise<Caller> {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject("Support bot");
  const { value } = await api.createKey(id, "nightly-eval");
  return { projectId: id, key: value };
}

/**
 * Makes two calls that are answered by sandbox-echo, and between them one to sandbox-chat that is refused, whose id it
 * returns.
 */
async function sendCalls(gatehouse: Gatehouse, { projectId, key }: Caller): Promise<string> {
  const send = (model: string, status = 200) => callModel(gatehouse, key, model, { status });
  await send("sandbox-echo");
  await adminApi(gatehouse).call("POST", `/projects/${projectId}/rate_limits/sandbox-chat`, {
    max_requests_per_1_minute: 0,
  });
  const refused = await send("sandbox-chat", 429);
  await send("sandbox-echo");
  return refused;
}

test("the overview shows how long the balance lasts, spending, calls and refusals with their reasons", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const caller = await createCaller(gatehouse);
  await signIn(page, gatehouse);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(page.getByText("No call was refused.")).toBeVisible();
  await expectNoAxeViolations(page);

  const refused = await sendCalls(gatehouse, caller);
  const charges = await api.call<{ data: { amount: string }[] }>("GET", "/ledger?kind=charge");
  const nano = charges.data.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 1e9), 0);

  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: /Balance lasts/ })).toBeVisible();
  await expect(page.getByText("At the pace of the last day")).toBeVisible();
  await expect(figure(page, "Requests, last 24 hours")).toContainText("2");
  await expect(figure(page, "Refused, last 24 hours")).toContainText("33.3 % of all calls");
  await expect(figure(page, "Spent this month")).toContainText((nano / 1e9).toFixed(9).replace(/0+$/, ""));
  await expect(page.getByRole("slider", { name: "Spend over time" })).toHaveAttribute(
    "aria-valuetext",
    /Support bot/,
  );
  const refusals = page.getByRole("table", { name: "The latest refusals" });
  await expect(refusals.getByRole("row").nth(1)).toContainText("Requests per minute");
  await expect(refusals.getByRole("row").nth(1)).toContainText("nightly-eval");
  await expect(refusals.getByRole("row").nth(1)).toContainText("needed 1, 0 left");
  await expect(page.getByRole("region", { name: "Recent changes" })).toContainText("sandbox-chat");
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await refusals.getByRole("link").first().press("Enter");
  await expect(page).toHaveURL(new RegExp(`/requests/${refused}`));
  // The calculator's day of work and the balance's screen say the same, since one function computes it.
  const headline = await page.goto("/").then(() => page.getByRole("heading", { level: 1 }).innerText());
  for (const path of ["/calculator", "/balance"]) {
    await page.goto(path);
    await expect(page.locator("#main").getByText(headline, { exact: true })).toBeVisible();
  }
});

test("the spend is shown by project or by model, as the address says", async ({ page, gatehouse }) => {
  await sendCalls(gatehouse, await createCaller(gatehouse));
  await signIn(page, gatehouse);
  await page.goto("/");
  const chart = page.getByRole("slider", { name: "Spend over time" });
  await expect(chart).toHaveAttribute("aria-valuetext", /Support bot/);
  await page.getByLabel("Group by").selectOption({ label: "Model" });
  await expect(chart).toHaveAttribute("aria-valuetext", /sandbox-echo/);
  await expect(page).toHaveURL("/?by=model");
  await expect(page.getByRole("link", { name: "Open usage" })).toHaveAttribute(
    "href",
    "/usage?range=30d&group_by=model",
  );
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(page.getByLabel("Group by")).toHaveValue("model");
  await expect(chart).toHaveAttribute("aria-valuetext", /sandbox-echo/);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.getByLabel("Group by").selectOption({ label: "Project" });
  await expect(chart).toHaveAttribute("aria-valuetext", /Support bot/);
  await expect(page).toHaveURL("/");
});

test("the balance is shown with what running calls hold of it, and its last week", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject("Waiting");
  const key = await api.createKey(id, "slow");
  await signIn(page, gatehouse);
  await page.goto("/");
  const balance = figure(page, "Available balance");
  await expect(balance).toContainText("Nothing on hold");
  await expect(balance.locator("xpath=following-sibling::*[name()='svg']/*")).toHaveCount(2);

  const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
    key: key.value,
    body: {
      model: "sandbox-slow",
      stream: true,
      messages: [{ role: "user", content: "word ".repeat(600) }],
    },
  });
  await page.reload();
  await expect(balance).toContainText(/on hold · 1 call running/);
  await reply.body?.cancel();
  await expect.poll(async () => (await api.call<Balance>("GET", "/balance")).held_calls).toBe(0);
  await page.reload();
  await expect(balance).toContainText("Nothing on hold");
});

test("a member who only tries prompts sees their own usage, and no other member's", async ({
  page,
  context,
  gatehouse,
}) => {
  const tester = { email: "tester@example.com", name: "Tess", role: "role_prompt_tester" };
  await openAsMember(context, gatehouse, tester);
  await page.goto("/usage");
  await expect(page.getByRole("heading", { level: 1, name: "Your usage" })).toBeVisible();
  await expect(page.getByText("No calls in this period")).toBeVisible();
  await expect(page.getByRole("link", { name: "Try a prompt" })).toBeVisible();
  await expect(page.getByLabel("Member", { exact: true })).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test("a member without the playground is not sent there from their own usage", async ({
  page,
  context,
  gatehouse,
}) => {
  const { id } = await adminApi(gatehouse).call<{ id: string }>("POST", "/roles", {
    role_name: "Model readers",
    permissions: ["api.models.read"],
  });
  await openAsMember(context, gatehouse, { email: "mo@example.com", name: "Mo", role: id });
  await page.goto("/usage");
  await expect(page.getByText("No calls in this period")).toBeVisible();
  await expect(page.getByRole("link", { name: "Try a prompt" })).toHaveCount(0);
});

test.describe("with a known number of calls", () => {
  test.use({ scene: "overview-range" });

  test("the figures about calls follow the range, which is in the address", async ({ page, gatehouse }) => {
    await sendCalls(gatehouse, await createCaller(gatehouse));
    await signIn(page, gatehouse);
    await page.goto("/");
    const choose = (name: string) => page.getByRole("button", { name, exact: true });
    await expect(choose("Last 24 hours")).toHaveAttribute("aria-pressed", "true");
    await choose("Last 30 days").press("Enter");
    await expect(page).toHaveURL("/?range=30d");
    await expect(figure(page, "Requests, last 30 days")).toContainText("2");
    await expect(figure(page, "Refused, last 30 days")).toContainText("33.3 % of all calls");
    await expect(page.getByRole("link", { name: "Refused, last 30 days" })).toHaveAttribute(
      "href",
      "/requests?range=30d&outcome=refused",
    );
    await expectNoAxeViolations(page);
    await page.reload();
    await expect(choose("Last 30 days")).toHaveAttribute("aria-pressed", "true");
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScroll(page);
    await choose("Last 7 days").click();
    await expect(figure(page, "Requests, last 7 days")).toContainText("2");
    await choose("Last 24 hours").click();
    await expect(page).toHaveURL("/");
  });
});
