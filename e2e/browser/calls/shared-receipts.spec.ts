import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";

test("a receipt is shown to a developer without an account, by a link that can be revoked", async ({
  page,
  browser,
  gatehouse,
}) => {
  const { createProject, createKey, saveRateLimit } = adminApi(gatehouse);
  const { id } = await createProject("Shared receipts");
  const { value: key } = await createKey(id, "ci");
  await saveRateLimit(id, "sandbox-echo", { max_requests_per_1_minute: 0 });
  const body = { model: "sandbox-echo", messages: [{ role: "user", content: "A secret plan" }] };
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, { key, body });
  const requestId = reply.headers.get("x-request-id") ?? "";

  await signIn(page, gatehouse);
  await page.goto(`/requests/${requestId}`);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this receipt" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  const address = await dialog.getByText(/\/receipt#token=gr_/).textContent();
  await expectNoAxeViolations(page);

  const stranger = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await stranger.goto(address ?? "");
  await expect(stranger.getByRole("heading", { level: 1 })).toHaveText(
    "Requests per minute is less than this call needs",
  );
  await expect(stranger.getByText("Refused · 429")).toBeVisible();
  await expect(stranger.getByText("Shared receipts")).toBeVisible();
  await expect(stranger.getByText("A secret plan")).toHaveCount(0);
  await expect(stranger.getByRole("link")).toHaveCount(0);
  expect(stranger.url()).not.toContain("gr_");
  await expectNoSidewaysScroll(stranger);
  await expectNoAxeViolations(stranger);

  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(dialog.getByText("None.")).toBeVisible();
  await stranger.goto("about:blank");
  await stranger.goto(address ?? "");
  await expect(stranger.getByRole("alert").filter({ hasText: "This link no longer works" })).toBeVisible();
  await stranger.close();
});
