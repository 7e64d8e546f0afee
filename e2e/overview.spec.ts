import type { Balance } from "@/lib/contract/operations/balance";
import { adminApi } from "./support/admin-api";
import { expectNoAxeViolations } from "./support/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "./support/expect-no-sideways-scroll";
import { signIn } from "./support/sign-in";
import { startSpecificationGateway } from "./support/specification-gateway";
import { startGatehouse } from "./support/start-gatehouse";
import { expect, test } from "./support/test";

test.use({ scene: "overview" });

test("the overview shows the balance, the base address, and the steps that are left", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject("First");
  await context.addCookies([{ name: "gatehouse_project", value: id, url: gatehouse.consoleUrl }]);
  await signIn(page, gatehouse.adminKey);
  await expect(page).toHaveURL(`${gatehouse.consoleUrl}/`);

  const { available } = await api.call<Balance>("GET", "/balance");
  const balance = page.locator("dl", { hasText: "Available balance" });
  await expect(balance.locator("data")).toHaveAttribute("value", available);
  await expect(page.locator("#main").getByText(gatehouse.baseUrl, { exact: true })).toBeVisible();
  await expect(page.getByRole("row", { name: /Payment.*Opening balance/ })).toBeVisible();
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("listitem")).toContainText(["Create a key: to do", "to do", "to do"]);
  await expectNoAxeViolations(page);

  const { value } = await api.call<{ value: string }>("POST", `/projects/${id}/api_keys`, { name: "a" });
  await page.reload();
  await expect(steps.getByRole("listitem")).toContainText(["Create a key: done", "to do", "to do"]);
  await expect(steps.getByRole("link")).toHaveAttribute("href", "/rate-limits");

  await api.saveRateLimit(id, "sandbox-echo", { max_requests_per_1_minute: 3 });
  const reply = await fetch(`${gatehouse.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${value}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-echo", messages: [{ role: "user", content: "Hello" }] }),
  });
  expect(reply.status).toBe(200);
  await page.reload();
  await expect(page.getByRole("row", { name: /Charge.*sandbox-echo/ })).toBeVisible();
  await expect(steps).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectNoAxeViolations(page);
});

test("an alert that fired this month is shown to who may read alerts, with whose it is", async ({
  page,
  browser,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject("Research");
  await api.createModel({
    id: "cent-a-word",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "0", output_per_1m: "10000" },
    routes: [{ provider: "sandbox", model: "sandbox-echo" }],
  });
  const alert = (cents: number) => ({
    currency: "USD",
    interval: "month",
    threshold_amount: cents,
    notification_channel: { type: "email", recipients: ["finance@example.com"] },
  });
  await api.call("POST", `/projects/${id}/spend_alerts`, alert(2));
  await signIn(page, gatehouse.adminKey);
  const notice = page.locator("#main").getByText(/spend alerts? fired this month/);
  await expect(page.getByText("Available balance")).toBeVisible();
  await expect(notice).toHaveCount(0);

  const { value } = await api.call<{ value: string }>("POST", `/projects/${id}/api_keys`, { name: "a" });
  const reply = await fetch(`${gatehouse.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${value}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "cent-a-word", messages: [{ role: "user", content: "one two three" }] }),
  });
  expect(reply.status).toBe(200);
  await api.call("POST", "/spend_alerts", alert(3));
  await page.reload();
  await expect(notice).toHaveText("2 spend alerts fired this month");
  await expect(page.getByRole("listitem").filter({ hasText: "reached" })).toHaveText([
    /^The organization reached 0\.03 USD just now/,
    /^Research reached 0\.02 USD just now/,
  ]);
  await expect(page.getByRole("link", { name: "See the balance" })).toHaveAttribute("href", "/balance");
  await expectNoAxeViolations(page);
  for (const s of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: s });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  for (const s of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: s });
  }
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);

  const role = await api.call<{ id: string }>("POST", "/roles", {
    role_name: "Bookkeeper",
    permissions: ["api.balance.read", "api.ledger.read"],
  });
  const other = await api.call<{ value: string }>("POST", "/admin_api_keys", { name: "b", role: role.id });
  const context = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  const bookkeeper = await context.newPage();
  await signIn(bookkeeper, other.value);
  await expect(bookkeeper.getByText("Available balance")).toBeVisible();
  await expect(bookkeeper.getByText(/spend alerts? fired/)).toHaveCount(0);
  await context.close();
});

test("over a gateway with the specification alone it leads to what works, and the rest says so", async ({
  browser,
}) => {
  const gateway = await startSpecificationGateway();
  const gatehouse = await startGatehouse({ GATEWAY_URL: gateway.url });
  const context = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  const page = await context.newPage();
  await signIn(page, gateway.token);
  for (const [name, href] of [
    ["Set rate limits", "/rate-limits"],
    ["Create a role", "/roles"],
    ["Try a prompt", "/playground"],
  ] as const) {
    await expect(page.getByRole("link", { name })).toHaveAttribute("href", href);
  }
  await expect(page.locator("#main").getByText(`${gateway.url}/v1`, { exact: true })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.goto("/keys");
  await expect(page.getByRole("heading", { name: "This gateway doesn't list or create keys" })).toBeVisible();
  await page.goto("/projects");
  await expect(page.getByRole("heading", { name: "This gateway doesn't list projects" })).toBeVisible();
  await expectNoAxeViolations(page);
  await context.close();
  await gatehouse.stop();
  await gateway.stop();
});
