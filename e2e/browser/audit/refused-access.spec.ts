import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { chooseOption } from "../../support/pages/choose-option";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "audit-logs" });

const table = (page: Page) => page.getByRole("table", { name: "Refused access, newest first" });

/** A Reader who joined by invitation makes a request without the permission for it. */
test.beforeEach(async ({ page, context, gatehouse }, { testId }) => {
  const email = `rita-${testId}@example.com`;
  const { token } = await openAsMember(context, gatehouse, { email, name: `Rita ${testId}`, role: "reader" });
  const { data } = await adminApi(gatehouse).call<{ data: { id: string }[] }>("GET", "/projects");
  const tried = ["/roles", `/projects/${data[0]?.id}`, `/projects/${data[0]?.id}`];
  for (const path of tried) {
    const reply = await fetchWithKey(`${gatehouse.baseUrl}/organization${path}`, {
      key: token,
      body: { name: "Mine", role_name: "Mine", permissions: [] },
    });
    expect(reply.status).toBe(403);
  }
  await fetchWithKey(`${gatehouse.baseUrl}/organization/users`, { key: "gk_lost" });
  await context.clearCookies();
  await signIn(page, gatehouse);
});

test("refused attempts are listed beside the changes, and filtered by person and reason", async ({ page }, {
  testId,
}) => {
  await page.goto("/audit-logs");
  await page.getByRole("link", { name: "Refused access" }).click();
  const rows = table(page).getByRole("row");
  const own = rows.filter({ hasText: `Rita ${testId}` });
  await expect(own).toHaveCount(2);
  await expect(own.filter({ hasText: "Change project in" })).toContainText("Permission missing2");
  await expect(own.filter({ hasText: "Create role" })).toContainText("127.0.0.1");
  await expect(rows.filter({ hasText: "List users" }).first()).toContainText("UnknownList usersNo valid key");
  await expectNoAxeViolations(page);
  await page.getByLabel("Reason").selectOption("No valid key or session");
  await expect(own).toHaveCount(0);
  await page.getByLabel("Reason").selectOption("Any reason");
  await chooseOption(page, "Person", `Rita ${testId}`);
  await expect(rows).toHaveCount(3);
  await expect(page).toHaveURL(/caller_ids=user_/);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Network address").fill("192.0.2.1");
  await expect(page.getByText("No refusal fits these filters")).toBeVisible();
  await expectNoAxeViolations(page);
});

test("an export of refusals has the same filters as the list", async ({ page }, { testId }) => {
  await page.goto("/audit-logs/refused");
  await chooseOption(page, "Person", `Rita ${testId}`);
  await expect(table(page).getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /NDJSON/ }).click();
  const lines = await new Response((await (await download).createReadStream()) as never).text();
  expect(lines.trim().split("\n")).toHaveLength(2);
});

test("a person who may not see refused access reads which permission is missing", async ({
  page,
  context,
  gatehouse,
}) => {
  await context.clearCookies();
  await openAsMember(context, gatehouse, { email: "fia@example.com", name: "Fia", role: "finance" });
  await page.goto("/audit-logs/refused");
  await expect(page.getByText("api.audit_logs.read")).toBeVisible();
  await expectNoAxeViolations(page);
});

test("on a phone the refusals are a list that doesn't scroll sideways", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto("/audit-logs/refused");
  await expect(table(page)).toContainText("Unknown");
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
});
