import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { countClicks } from "../../support/pages/count-clicks";
import { openAsMember } from "../../support/pages/open-as-member";
import { selectProject } from "../../support/pages/select-project";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

// What people come for takes few clicks, each begun on the overview, with the menu alone.
test.use({ scene: "few-clicks", permissions: ["clipboard-read", "clipboard-write"] });

const press = (page: Page, place: "Screens" | "Models tabs" | "Billing tabs", name: string) =>
  page.getByRole("navigation", { name: place }).getByRole("link", { name, exact: true }).click();

async function begin(page: Page, gatehouse: Gatehouse, name: string, role: string): Promise<() => number> {
  const email = `${name.toLowerCase()}@example.com`;
  await openAsMember(page.context(), gatehouse, { email, name, role });
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  return countClicks(page);
}

test("Olga, who runs it, sets a first limit in at most 4 clicks", async ({ page, context, gatehouse }) => {
  const { id } = await adminApi(gatehouse).createProject("First limit");
  await selectProject(context, gatehouse, id);
  const clicks = await begin(page, gatehouse, "Olga", "owner");
  await press(page, "Screens", "Limits");
  await page.getByRole("link", { name: /^sandbox-echo/ }).click();
  const field = page.getByLabel("Requests per minute", { exact: true });
  await field.click();
  await field.fill("30");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText(/^Saved/).first()).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(4);
  const path = `/projects/${id}/rate_limits/rl_sandbox-echo`;
  expect(await adminApi(gatehouse).call("GET", path)).toMatchObject({ max_requests_per_1_minute: 30 });
});

test("Olga adds a provider with its models in at most 6 clicks", async ({ page, gatehouse }) => {
  const names = ["gpt-5-mini", "gpt-4o-mini", "text-embedding-3-small"];
  const server = createServer((request, reply) => {
    const isList = request.url?.endsWith("/models");
    reply.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
    reply.end(JSON.stringify(isList ? { object: "list", data: names.map((id) => ({ id })) } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const clicks = await begin(page, gatehouse, "Oleg", "owner");
  await press(page, "Screens", "Models");
  await press(page, "Models tabs", "Providers");
  await page.getByRole("link", { name: "Add provider" }).click();
  await page.getByRole("button", { name: "OpenAI", exact: true }).click();
  const key = page.getByLabel("Key", { exact: true });
  await expect(key).toBeFocused();
  // The test's provider stands in for the service.
  await page.getByLabel("Base address").fill(`http://127.0.0.1:${port}/v1`);
  await page.evaluate(() => navigator.clipboard.writeText("sk-proj-pasted"));
  await key.focus();
  await page.keyboard.press("ControlOrMeta+V");
  await page.getByRole("button", { name: "Import 3 models" }).click();
  await expect(page.getByText("3 models imported")).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(6);
  await expect(page.getByRole("table", { name: "Models of the organization" })).toContainText("gpt-5-mini");
  server.close();
});

test("Sara, who answers questions, finds a refused call in at most 2 clicks", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject("Search");
  const { value } = await api.createKey(id, "web");
  await api.saveRateLimit(id, "sandbox-echo", { max_requests_per_1_minute: 0 });
  await callModel(gatehouse, value, "sandbox-echo", { status: 429 });
  const clicks = await begin(page, gatehouse, "Sara", "reader");
  await press(page, "Screens", "Activity");
  await page.getByRole("table", { name: "Calls, newest first" }).getByRole("link").first().click();
  await expect(page.getByRole("dialog")).toContainText("Requests per minute");
  expect(clicks()).toBeLessThanOrEqual(2);
});

test("Finn, who pays, prices 1,000 calls a day of a model in at most 4 clicks", async ({
  page,
  gatehouse,
}) => {
  const clicks = await begin(page, gatehouse, "Finn", "finance");
  await press(page, "Screens", "Billing");
  await press(page, "Billing tabs", "Calculator");
  await page.getByLabel("Model", { exact: true }).first().selectOption("sandbox-chat");
  const line = page.getByRole("group", { name: "sandbox-chat" });
  await line.getByLabel("Calls a day").click();
  await line.getByLabel("Calls a day").fill("1,000");
  await expect(line.locator("data").first()).not.toHaveText("0.00");
  await expect(page.getByText("A month of 30 days")).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(4);
});
