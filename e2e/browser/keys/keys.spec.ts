import OpenAI from "openai";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
  await page.goto("/keys");
});

test("a key is shown once, works in the copied snippet, and is refused after it is deleted", async ({
  page,
  context,
  gatehouse,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
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
  await expect(page.getByRole("dialog")).toContainText("Calls with it are refused immediately");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Delete key", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  await expect(call()).rejects.toMatchObject({ status: 401 });
});

test("a key is renamed, the old name comes back by undo, and its program goes on", async ({
  page,
  gatehouse,
}) => {
  const { call, createKey } = adminApi(gatehouse);
  const made = await createKey(projectId, "reports");
  const readKeyName = async () =>
    (await call<{ name: string }>("GET", `/projects/${projectId}/api_keys/${made.id}`)).name;
  await page.reload();
  const rename = (name: string) => page.getByRole("button", { name: `Rename key “${name}”` });
  await rename("reports").click();
  const dialog = page.getByRole("dialog", { name: "Rename the key “reports”" });
  await expect(dialog.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("reports");
  await expectNoAxeViolations(page);
  await dialog.getByRole("textbox", { name: "Name" }).fill(" ");
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("Name must not be empty");
  await expect(dialog.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expectNoAxeViolations(page);
  await dialog.getByRole("textbox", { name: "Name" }).fill("nightly");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name: /nightly/ })).toBeVisible();
  await expect(rename("nightly")).toBeFocused();
  expect(await readKeyName()).toBe("nightly");
  const client = new OpenAI({ baseURL: gatehouse.baseUrl, apiKey: made.value, maxRetries: 0 });
  await client.chat.completions.create({
    model: "sandbox-echo",
    messages: [{ role: "user", content: "Hi" }],
  });

  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("row", { name: /reports/ })).toBeVisible();
  expect(await readKeyName()).toBe("reports");
});

test("a key renamed by another member keeps that name or takes the new one, as chosen; so does an undo", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const keys = `/projects/${projectId}/api_keys`;
  const { id } = await call<{ id: string }>("POST", keys, { name: "first" });
  const renameElsewhere = (name: string) => call("POST", `${keys}/${id}`, { name });
  const readKeyName = async () => (await call<{ name: string }>("GET", `${keys}/${id}`)).name;
  await page.reload();
  await page.getByRole("button", { name: "Rename key “first”" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("mine");
  await renameElsewhere("theirs");
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: /^Someone else saved this/ });
  await expect(question).toContainText("Before: first");
  await expectNoAxeViolations(page);
  expect(await readKeyName()).toBe("theirs");
  await question.getByRole("radio", { name: /Yours mine/ }).check();
  await question.getByRole("button", { name: "Save choices" }).click();
  await expect(page.getByRole("row", { name: /mine/ })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await renameElsewhere("later");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(question).toContainText("Before: mine");
  await question.getByRole("radio", { name: /someone else later/ }).check();
  await question.getByRole("button", { name: "Save choices" }).click();
  await expect(page.getByRole("row", { name: /later/ })).toBeVisible();
  expect(await readKeyName()).toBe("later");

  // Irreversible actions say so even without an open form.
  await page.getByRole("button", { name: "Rename key “later”" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("last");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row", { name: /last/ })).toBeVisible();
  await call("DELETE", `${keys}/${id}`);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Failed:" })).toBeVisible();
});

test("many keys can be searched by name, on a phone too", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  for (let number = 1; number <= 11; number++) {
    await api.createKey(projectId, `program ${number}`);
  }
  await page.setViewportSize(PHONE);
  await page.reload();
  await page.getByRole("searchbox", { name: "Search keys" }).fill("program 11");
  await expect(page.getByRole("row")).toHaveCount(2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await expectNoAxeViolations(page);
});

test("each key shows its usage in 30 days, and the most used one can be found", async ({
  page,
  gatehouse,
}) => {
  const { createKey } = adminApi(gatehouse);
  const create = (name: string) => createKey(projectId, name);
  const { value } = await create("busy");
  await create("idle");
  for (const content of ["one", "two"]) {
    const client = new OpenAI({ baseURL: gatehouse.baseUrl, apiKey: value, maxRetries: 0 });
    await client.chat.completions.create({ model: "sandbox-echo", messages: [{ role: "user", content }] });
  }
  await page.reload();
  const rows = page.getByRole("table", { name: "Keys of the project" }).getByRole("row");
  await expect(rows.filter({ hasText: "idle" }).getByRole("cell", { name: "0", exact: true })).toBeVisible();
  await expect(rows.filter({ hasText: "busy" }).getByRole("cell", { name: "2", exact: true })).toBeVisible();
  const sort = page.getByRole("button", { name: "30-day calls" });
  await sort.click();
  await expect(rows.nth(1)).toContainText("idle");
  await sort.click();
  await expect(rows.nth(1)).toContainText("busy");
  await expectNoAxeViolations(page);
});
