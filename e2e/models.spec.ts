import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { adminApi } from "./support/admin-api";
import { expectNoAxeViolations } from "./support/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "./support/expect-no-sideways-scroll";
import { startFakeProvider } from "./support/fake-provider";
import { openSpecificationConsole } from "./support/open-specification-console";
import { signIn } from "./support/sign-in";
import { type Gatehouse, startGatehouse } from "./support/start-gatehouse";
import { makeDataFolder } from "./support/start-program";
import { expect, test } from "./support/test";

const configFile = join(mkdtempSync(join(tmpdir(), "gatehouse-models-")), "gatehouse.yaml");
writeFileSync(
  configFile,
  `providers:
  - { id: elsewhere, kind: openai, base_url: "https://elsewhere.example/v1", api_key: sk-configured }
models:
  - { id: unpriced, family: chat, rate: "0.5", routes: [{ provider: elsewhere, model: any }] }
`,
);
test.use({ environment: { GATEHOUSE_CONFIG: configFile } });
test.beforeEach(async ({ page, gatehouse }) => signIn(page, gatehouse.adminKey));

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const rowOf = (page: Page, id: string) =>
  page.getByRole("row").filter({ has: page.getByText(id, { exact: true }) });
const saveButton = (page: Page) => page.getByRole("button", { name: /^Save/ });

/** Calls a model as a program would, with a project's key. @returns what the ledger says of the call. */
async function chargeOf(gatehouse: Gatehouse, model: string) {
  const api = adminApi(gatehouse);
  const project = await api.createProject(`Calls ${model}`.slice(0, 100));
  const { value: key } = await api.call<{ value: string }>("POST", `/projects/${project.id}/api_keys`, {
    name: "program",
  });
  const reply = await fetch(`${gatehouse.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "one two three" }] }),
  });
  const text = await reply.text();
  const requestId = reply.headers.get("x-request-id") ?? "";
  await expect.poll(async () => (await api.charges(requestId)).length).toBe(1);
  const [charge] = await api.charges(requestId);
  return { text, charge };
}

async function makeModel(gatehouse: Gatehouse, id: string, provider = "sandbox"): Promise<void> {
  await adminApi(gatehouse).createModel({
    id,
    family: "chat",
    rate: "0.5",
    price: { input_per_1m: "1000", output_per_1m: "2000" },
    routes: [{ provider, model: provider === "sandbox" ? "sandbox-echo" : "any" }],
  });
}

test("a model rate shows its effect as typed, and is the price of the next call", async ({
  page,
  gatehouse,
}) => {
  await makeModel(gatehouse, "family/rated");
  expect((await chargeOf(gatehouse, "family/rated")).charge?.amount).toBe("0.0045");
  await page.goto("/models");
  await page.getByRole("link", { name: "family/rated" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "family/rated" })).toBeVisible();
  await expect(page.getByText("Calls that are already admitted keep the price")).toBeVisible();
  await expectNoAxeViolations(page);

  const meaning = page.locator("dl", { hasText: "A payment of 10.00 is worth" });
  await expect(meaning).toContainText("worth20.00USD");
  await field(page, "Model rate").fill("0.2");
  await expect(meaning).toContainText("now 20.0050.00USD");
  await expect(meaning).toContainText("now 500.00200.00USD");
  await expect(page.getByRole("tabpanel")).toContainText("/organization/models/family%2Frated");
  await expect(page.getByRole("tabpanel")).toContainText('"rate": "0.2"');
  await expect(page.getByText("1 unsaved change")).toBeVisible();
  await expectNoAxeViolations(page);
  await saveButton(page).click();
  await expect(page.getByText("Saved 1 change")).toBeVisible();
  await expectNoAxeViolations(page);

  expect((await chargeOf(gatehouse, "family/rated")).charge).toMatchObject({
    amount: "0.0018",
    price: { input_per_1m: "1000.00", output_per_1m: "2000.00", rate: "0.20" },
  });
  await page.getByRole("link", { name: "Models and rates" }).first().click();
  await expect(rowOf(page, "family/rated")).toContainText("5.00");
  await expect(rowOf(page, "family/rated")).toContainText("added here");
});

test("a saved price can be taken back, and leaving with one unsaved asks first", async ({
  page,
  gatehouse,
}) => {
  await makeModel(gatehouse, "taken-back");
  await page.goto("/models/taken-back");
  await field(page, "Input list price").fill("1,500.25");
  await saveButton(page).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone")).toBeVisible();
  await expect(field(page, "Input list price")).toHaveValue("1,000.00");
  expect((await chargeOf(gatehouse, "taken-back")).charge?.amount).toBe("0.0045");

  await field(page, "Output list price").fill("7");
  await page.getByRole("navigation").getByRole("link", { name: "Roles" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving the change?" });
  await expect(question).toBeVisible();
  await expectNoAxeViolations(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(field(page, "Output list price")).toHaveValue("7");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(field(page, "Output list price")).toHaveValue("2,000.00");
});

test("a rate of 0 and a price that is no number are refused, and stay as typed", async ({
  page,
  gatehouse,
}) => {
  await makeModel(gatehouse, "faulty");
  await page.goto("/models/faulty");
  await field(page, "Model rate").fill("0");
  await field(page, "Input list price").fill("ten");
  await saveButton(page).click();
  await expect(field(page, "Model rate")).toHaveAccessibleDescription(/must be greater than 0/);
  await expect(field(page, "Input list price")).toHaveAccessibleDescription(/Enter a number/);
  await expect(field(page, "Model rate")).toHaveValue("0");
  await expect(field(page, "Input list price")).toHaveValue("ten");
  await expect(page.getByText("not known yet")).toHaveCount(3);
  await expectNoAxeViolations(page);
  expect((await chargeOf(gatehouse, "faulty")).charge?.amount).toBe("0.0045");
});

test("a provider and a model are added, answer a call, and the provider's key is never seen again", async ({
  page,
  gatehouse,
}) => {
  const provider = await startFakeProvider(4);
  const secret = "sk-never-to-be-seen-again";
  const replies: string[] = [];
  page.on("response", async (response) => {
    if (response.url().startsWith(gatehouse.consoleUrl)) replies.push(await response.text().catch(() => ""));
  });
  await page.goto("/models");
  await page.getByRole("button", { name: "Add provider" }).click();
  const dialog = page.getByRole("dialog", { name: "Add provider" });
  await field(page, "Id").fill("Ollama here");
  await field(page, "Base address").fill("localhost");
  await field(page, "Key").fill(secret);
  await page.keyboard.press("Enter");
  await expect(field(page, "Id")).toHaveAccessibleDescription(/lower-case letters/);
  await expect(field(page, "Base address")).toHaveAccessibleDescription(/must be an address such as/);
  await expect(field(page, "Base address")).toHaveValue("localhost");
  await expectNoAxeViolations(page);
  await field(page, "Id").fill("sandbox");
  await field(page, "Base address").fill(provider.baseUrl);
  await page.keyboard.press("Enter");
  await expect(field(page, "Id")).toHaveAccessibleDescription(/There is a provider "sandbox" already/);
  await field(page, "Id").fill("nearby");
  await dialog.getByRole("button", { name: "Add provider" }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, "nearby")).toContainText(provider.baseUrl);
  await expect(rowOf(page, "nearby")).toContainText("set");

  await page.getByRole("link", { name: "Add model" }).click();
  await field(page, "Id").fill("org/words");
  await field(page, "Provider").selectOption("nearby");
  await field(page, "Model at the provider").fill("any:latest");
  await field(page, "Model rate").fill("0.5");
  await field(page, "Input list price").fill("1000");
  await field(page, "Output list price").fill("2,000");
  await expect(page.getByRole("tabpanel")).toContainText('"output_per_1m": "2000"');
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Add model" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "org/words" })).toBeVisible();

  const { text, charge } = await chargeOf(gatehouse, "org/words");
  expect(text).toContain("word4");
  expect(charge).toMatchObject({ prompt_tokens: 1, completion_tokens: 4, amount: "0.0045" });

  await page.goto("/models");
  await rowOf(page, "nearby").getByRole("button", { name: "Delete provider “nearby”" }).click();
  const question = page.getByRole("dialog", { name: "Delete the provider “nearby”?" });
  await question.getByRole("button", { name: "Delete provider" }).click();
  await expect(question.getByRole("alert")).toContainText('"nearby" answers calls to org/words');
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(rowOf(page, "nearby")).toBeVisible();

  const listed = JSON.stringify(await adminApi(gatehouse).call("GET", "/providers"));
  for (const shown of [await page.content(), listed, ...replies]) expect(shown).not.toContain(secret);
  await provider.stop();
});

test("a model's id that is taken is said at the field, and what was typed stays", async ({ page }) => {
  await page.goto("/models/new");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Add model" }).click();
  await expect(field(page, "Id")).toBeFocused();
  await expect(field(page, "Provider")).toHaveAttribute("aria-invalid", "true");
  await expectNoAxeViolations(page);
  await field(page, "Id").fill("sandbox-chat");
  await field(page, "Provider").selectOption("sandbox");
  await field(page, "Model at the provider").fill("sandbox-chat");
  await field(page, "Input list price").fill("0");
  await field(page, "Output list price").fill("0");
  await page.getByRole("button", { name: "Add model" }).click();
  await expect(field(page, "Id")).toHaveAccessibleDescription(/There is a model "sandbox-chat" already/);
  await expect(field(page, "Id")).toBeFocused();
  await expect(field(page, "Model at the provider")).toHaveValue("sandbox-chat");
  await expectNoAxeViolations(page);
});

test("a provider nobody is routed to is deleted; built-in and configured ones have no button", async ({
  page,
  gatehouse,
}) => {
  await adminApi(gatehouse).createProvider("passing", "http://127.0.0.1:9/v1");
  await page.goto("/models");
  for (const id of ["sandbox", "elsewhere"]) {
    await expect(page.getByRole("button", { name: `Delete provider “${id}”` })).toHaveCount(0);
  }
  await expect(rowOf(page, "elsewhere").last()).toContainText("can’t be deleted");
  await page.getByRole("button", { name: "Delete provider “passing”" }).click();
  await expectNoAxeViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Delete provider" }).click();
  await expect(page.getByText("Provider “passing” deleted").last()).toBeVisible();
  await expect(page.getByText("passing", { exact: true })).toHaveCount(0);
});

test("a model without a price is said to be not callable until it gets one", async ({ page }) => {
  await page.goto("/models?q=unpriced");
  await expect(rowOf(page, "unpriced")).toContainText("not callable");
  await expect(rowOf(page, "unpriced")).toContainText("configuration file");
  await expect(page.getByText("sandbox-chat", { exact: true })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "unpriced" }).click();
  await expect(page.getByText("This model is not callable")).toBeVisible();
  await expectNoAxeViolations(page);
  await field(page, "Input list price").fill("1");
  await field(page, "Output list price").fill("2");
  await saveButton(page).click();
  await expect(page.getByText("Saved 2 changes")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  await expect(page.getByText("This model is not callable")).toHaveCount(0);
});

test("on a phone nothing scrolls sideways", async ({ page, gatehouse }) => {
  const id = "a-model-whose-name-is-so-long-that-it-has-to-break-somewhere-on-a-phone";
  await makeModel(gatehouse, id);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/models", "/models/new", `/models/${id}`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectNoAxeViolations(page);
  }
  await page.goto("/models");
  await page.getByRole("button", { name: "Add provider" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test("somebody who may only read models sees no way to change them, and is told why", async ({ browser }) => {
  const dataFolder = await makeDataFolder();
  await (await startGatehouse({ GATEHOUSE_DATA: dataFolder })).stop();
  const key = createKeyOf("role_finance", dataFolder);
  const gatehouse = await startGatehouse({ GATEHOUSE_DATA: dataFolder });
  const context = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  const page = await context.newPage();
  await signIn(page, key);
  await page.goto("/models");
  await expect(rowOf(page, "sandbox-chat").first()).toBeVisible();
  await expect(page.getByText("api.providers.read")).toBeVisible();
  await expect(page.getByRole("link", { name: "Add model" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add provider" })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto("/models/sandbox-chat");
  await expect(page.getByText("You can see these prices, not change them")).toBeVisible();
  await expect(field(page, "Model rate")).toBeDisabled();
  await expect(saveButton(page)).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto("/models/new");
  await expect(page.getByText("api.models.write")).toBeVisible();
  await expectNoAxeViolations(page);
  await context.close();
  await gatehouse.stop();
});

test("a gateway with the specification alone says that it lists no models", async ({ browser }) => {
  const { page, stop } = await openSpecificationConsole(browser);
  for (const path of ["/models", "/models/new", "/models/any"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("doesn't list or change models");
  }
  await expectNoAxeViolations(page);
  await stop();
});

/** The data's own format is bun's to write; the gateway must be closed. */
function createKeyOf(roleId: string, dataFolder: string): string {
  const program = `
    import { createRoleKey } from "@/e2e/support/create-role-key";
    console.log(await createRoleKey(${JSON.stringify(dataFolder)}, ${JSON.stringify(roleId)}));`;
  return execFileSync("node_modules/.bin/bun", ["-e", program], { encoding: "utf8" }).trim();
}
