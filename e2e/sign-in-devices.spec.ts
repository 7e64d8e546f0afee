import { execFileSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { adminApi } from "./support/admin-api";
import { PASSWORD } from "./support/member-client";
import type { Gatehouse } from "./support/start-gatehouse";
import { expect, test } from "./support/test";

test.use({ scene: "sign-in-devices" });

async function join(gatehouse: Gatehouse, email: string): Promise<void> {
  const { call } = adminApi(gatehouse);
  const { token } = await call<{ token: string }>("POST", "/invites", {
    email,
    role: "finance",
    projects: [],
  });
  await call("POST", "/invites/accept", { token, name: "Ben", password: PASSWORD });
}

async function typePassword(page: Page, email: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email address", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
}

test("a browser that has signed in before is let in while strangers guess", async ({ page, gatehouse }) => {
  await join(gatehouse, "gil@example.com");
  await typePassword(page, "gil@example.com");
  await page.waitForURL((url) => url.pathname === "/");
  await page.getByRole("button", { name: "Signed in as Ben" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  const counted = "password gil@example.com";
  execFileSync("node_modules/.bin/bun", ["e2e/support/pause-attempts.ts", gatehouse.dataFolder, counted]);
  await typePassword(page, "gil@example.com");
  await page.waitForURL((url) => url.pathname === "/");
});

test("the audit log has the browser's address, and believes no browser that names another", async ({
  page,
  gatehouse,
}) => {
  await join(gatehouse, "ivy@example.com");
  await page.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.9", "x-gatehouse-peer": "203.0.113.9" });
  await typePassword(page, "ivy@example.com");
  await page.waitForURL((url) => url.pathname === "/");
  const { call } = adminApi(gatehouse);
  const query = "/audit_logs?limit=5&event_types[]=login.succeeded";
  const { data } = await call<{ data: { actor: unknown }[] }>("GET", query);
  expect(JSON.stringify(data[0]?.actor)).toContain("127.0.0.1");
  expect(JSON.stringify(data)).not.toContain("203.0.113.9");
});
