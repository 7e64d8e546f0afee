import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { expect, test } from "../../support/fixtures/test";
import { typePassword } from "../../support/pages/sign-in";
import { runScript } from "../../support/programs/run-script";

test.use({ scene: "sign-in-devices" });

const BEN = { name: "Ben", role: "finance" };

test("a browser that has signed in before is let in while strangers guess", async ({ page, gatehouse }) => {
  await joinMember(gatehouse, "gil@example.com", BEN);
  await typePassword(page, "gil@example.com");
  await page.waitForURL((url) => url.pathname === "/");
  await page.getByRole("button", { name: "Signed in as Ben" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  const counted = "password gil@example.com";
  runScript("pause-attempts", gatehouse.dataFolder, counted);
  await typePassword(page, "gil@example.com");
  await page.waitForURL((url) => url.pathname === "/");
});

test("the audit log has the browser's address, and believes no browser that names another", async ({
  page,
  gatehouse,
}) => {
  await joinMember(gatehouse, "ivy@example.com", BEN);
  await page.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.9", "x-gatehouse-peer": "203.0.113.9" });
  await typePassword(page, "ivy@example.com");
  await page.waitForURL((url) => url.pathname === "/");
  const { call } = adminApi(gatehouse);
  const query = "/audit_logs?limit=5&event_types[]=login.succeeded";
  const { data } = await call<{ data: { actor: unknown }[] }>("GET", query);
  expect(JSON.stringify(data[0]?.actor)).toContain("127.0.0.1");
  expect(JSON.stringify(data)).not.toContain("203.0.113.9");
});
