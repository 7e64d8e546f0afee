import OpenAI from "openai";
import { adminApi } from "./support/admin-api";
import { expectNoAxeViolations } from "./support/expect-no-axe-violations";
import { signIn } from "./support/sign-in";
import { expect, test } from "./support/test";

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = (await adminApi(gatehouse).createProject(title.slice(0, 100))).id;
  await context.addCookies([{ name: "gatehouse_project", value: projectId, url: gatehouse.consoleUrl }]);
  await signIn(page, gatehouse.adminKey);
  await page.goto("/keys");
});

test("a key is shown once, works as it stands in the snippet, and is refused once it is deleted", async ({
  page,
  context,
  gatehouse,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await expect(page.getByRole("heading", { name: "No key yet" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("Name must not be empty");
  await expectNoAxeViolations(page);
  await page.keyboard.type("reports");
  await page.keyboard.press("Enter");

  const dialog = page.getByRole("dialog", { name: "Key “reports” created" });
  await expect(dialog).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(page.getByText("Close without having copied the key?")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Copy key" }).click();
  const apiKey = await page.evaluate(() => navigator.clipboard.readText());
  expect(apiKey).toMatch(/^gk_live_\w{49}$/);
  await dialog.getByRole("tab", { name: "openai", exact: true }).click();
  await expect(dialog.getByRole("tabpanel", { name: "openai", exact: true })).toContainText(
    `baseURL: "${gatehouse.baseUrl}",\n  apiKey: "${apiKey}",`,
  );
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(dialog).toBeHidden();
  expect(await page.content()).not.toContain(apiKey);

  const client = new OpenAI({ baseURL: gatehouse.baseUrl, apiKey, maxRetries: 0 });
  const call = () =>
    client.chat.completions.create({ model: "sandbox-echo", messages: [{ role: "user", content: "Hello" }] });
  expect((await call()).choices[0]?.message.content).toBe("Hello");

  const row = page.getByRole("row", { name: /reports/ });
  await expect(row).toContainText(`gk_live_…${apiKey.slice(-4)}`);
  await row.getByRole("button", { name: "Delete key “reports”" }).click();
  await expect(page.getByRole("dialog")).toContainText("Calls with it are refused at once");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Delete key", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No key yet" })).toBeVisible();
  await expect(call()).rejects.toMatchObject({ status: 401 });
});

test("many keys can be searched by name, on a phone too", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  for (let number = 1; number <= 11; number++) {
    await api.call("POST", `/projects/${projectId}/api_keys`, { name: `program ${number}` });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByRole("searchbox", { name: "Search keys" }).fill("program 11");
  await expect(page.getByRole("row")).toHaveCount(2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectNoAxeViolations(page);
});
