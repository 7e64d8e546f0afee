import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { chargeOfCall } from "../../support/clients/charge-of-call";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { findField, findRow } from "../../support/pages/find-on-page";

import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import { createProjectKey } from "../../support/programs/create-project-key";
import { writeConfiguration } from "../../support/programs/write-configuration";
import { taskApiMapping } from "../../support/servers/task-api-server";
import { startWordProvider } from "../../support/servers/word-provider";

const configuration = `providers:
  - { id: elsewhere, kind: openai, base_url: "https://elsewhere.example/v1", api_key: sk-configured }
  - { id: frames, kind: http, base_url: "https://frames.example", api_key: sk-mapped, task_api: ${taskApiMapping()} }
`;
test.use({ environment: { GATEHOUSE_CONFIG: writeConfiguration(configuration) } });
test.beforeEach(async ({ page, gatehouse }) => signIn(page, gatehouse));

const add = (page: Page) => page.getByRole("button", { name: "Add provider" }).click();

test("a provider and a model are added, answer a call, and the provider's key is never seen again", async ({
  page,
  gatehouse,
}) => {
  const provider = await startWordProvider(4);
  const secret = "sk-never-to-be-seen-again";
  const replies: string[] = [];
  page.on("response", async (response) => {
    if (response.url().startsWith(gatehouse.consoleUrl)) replies.push(await response.text().catch(() => ""));
  });
  await page.goto("/providers");
  await page.getByRole("link", { name: "Add provider" }).click();
  await findField(page, "Id").fill("Ollama here");
  await findField(page, "Base address").fill("localhost");
  await findField(page, "Key").fill(secret);
  await page.getByRole("button", { name: "Add another key" }).click();
  await page.getByRole("button", { name: "Add another key" }).click();
  await findField(page, "Key 2").fill("sk-left-out");
  await findField(page, "Key 3").fill(`${secret}-3`);
  await page.getByRole("button", { name: "Leave out key 2" }).click();
  await expect(findField(page, "Key 2")).toHaveValue(`${secret}-3`);
  await add(page);
  await expect(findField(page, "Id")).toHaveAccessibleDescription(/lower-case letters/);
  await expect(findField(page, "Base address")).toHaveAccessibleDescription(/must be an address such as/);
  await expect(findField(page, "Base address")).toHaveValue("localhost");
  await expectNoAxeViolations(page);
  await findField(page, "Id").fill("sandbox");
  await findField(page, "Base address").fill(provider.baseUrl);
  await add(page);
  await expect(findField(page, "Id")).toHaveAccessibleDescription(/There is a provider "sandbox" already/);
  await findField(page, "Id").fill("nearby");
  await add(page);
  await expect(findRow(page, "nearby")).toContainText(provider.baseUrl);
  await expect(findRow(page, "nearby")).toContainText("2 keys");
  await findRow(page, "nearby").getByRole("button", { name: "Keys of provider “nearby”" }).click();
  const keys = page.getByRole("dialog", { name: "Keys of the provider “nearby”" });
  await findField(page, "New key").fill(`${secret}-2`);
  await keys.getByRole("button", { name: "Add key" }).click();
  // Toasts stand in the dialog, too.
  const keyList = keys.getByRole("list", { name: "Keys" });
  await expect(keyList.getByRole("listitem")).toHaveCount(3);
  await expect(keyList).toContainText("…in-2");
  await expect(keyList).toContainText("…in-3");
  await expectNoAxeViolations(page);
  await keys.getByRole("button", { name: `Remove the key …${secret.slice(-4)}` }).click();
  await page.getByRole("button", { name: "Remove key", exact: true }).click();
  await expect(keyList).not.toContainText(`…${secret.slice(-4)}`);
  await expect(keyList).toContainText("…in-2");
  await page.keyboard.press("Escape");

  await page.goto("/models");
  await page.getByRole("link", { name: "Add model" }).click();
  await findField(page, "Id").fill("org/words");
  await findField(page, "Provider").selectOption("nearby");
  await findField(page, "Model at the provider").fill("any:latest");
  await findField(page, "Model rate").fill("0.5");
  await findField(page, "Input list price").fill("1000");
  await findField(page, "Output list price").fill("2,000");
  await expect(page.getByRole("tabpanel")).toContainText('"output_per_1m": "2000"');
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Add model" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "org/words" })).toBeVisible();

  const { text, charge } = await chargeOfCall(gatehouse, "org/words");
  expect(text).toContain("word4");
  expect(charge).toMatchObject({ prompt_tokens: 1, completion_tokens: 4, amount: "0.0045" });

  await page.goto("/providers");
  await findRow(page, "nearby").getByRole("button", { name: "Delete provider “nearby”" }).click();
  const question = page.getByRole("dialog", { name: "Delete the provider “nearby”?" });
  await question.getByRole("button", { name: "Delete provider" }).click();
  await expect(question.getByRole("alert")).toContainText('"nearby" answers calls to org/words');
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(findRow(page, "nearby")).toBeVisible();

  const listed = JSON.stringify(await adminApi(gatehouse).call("GET", "/providers"));
  for (const shown of [await page.content(), listed, ...replies]) expect(shown).not.toContain(secret);
  await provider.stop();
});

test("a provider with a task API of its own is listed with its requests, and offered for what it makes", async ({
  page,
}) => {
  await page.goto("/providers");
  const row = findRow(page, "frames").last();
  await expect(row).toContainText("HTTP task API");
  await expect(row).toContainText("makes image · asked every 0.5 s · lost orders are sent again");
  await expect(row.getByRole("list", { name: "Requests" }).getByRole("listitem")).toHaveText([
    "POST /v2/jobs",
    "GET /v2/jobs/{id}",
    "POST /v2/jobs/{id}/stop",
  ]);
  await expect(row).toContainText("can’t be deleted");
  await expectNoAxeViolations(page);
  await page.goto("/models");
  await page.getByRole("link", { name: "Add model" }).click();
  const offered = findField(page, "Provider").getByRole("option", { name: "frames" });
  await expect(findField(page, "Provider").getByRole("option", { name: "elsewhere" })).toHaveCount(1);
  await expect(offered).toHaveCount(0);
  await findField(page, "Kind of model").selectOption("image");
  await expect(offered).toHaveCount(1);
});

test("a provider without routes can be deleted; built-in and configured ones have no button", async ({
  page,
  gatehouse,
}) => {
  await adminApi(gatehouse).createProvider("passing", "http://127.0.0.1:9/v1");
  await page.goto("/providers");
  await expect(findRow(page, "elsewhere").last()).toContainText("can’t be deleted");
  for (const id of ["sandbox", "elsewhere"]) {
    await expect(page.getByRole("button", { name: `Delete provider “${id}”` })).toHaveCount(0);
  }
  await page.getByRole("button", { name: "Delete provider “passing”" }).click();
  await expectNoAxeViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Delete provider" }).click();
  await expect(page.getByText("Provider “passing” deleted").last()).toBeVisible();
  await expect(page.getByText("passing", { exact: true })).toHaveCount(0);
});

test("a provider that refuses the gateway's key is marked with the model and the cause", async ({
  page,
  gatehouse,
}) => {
  const refusing = createServer((_, reply) => reply.writeHead(401).end());
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  const { port } = refusing.address() as AddressInfo;
  const api = adminApi(gatehouse);
  await api.createProvider("refusing", `http://127.0.0.1:${port}/v1`);
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "refusing", model: "their-name" }];
  const url = new URL(gatehouse.baseUrl).origin;
  await api.createModel({ id: "refused", family: "chat", rate: "1", price, routes });
  await page.goto("/providers");
  await expect(findRow(page, "refusing")).not.toContainText("(401)");
  const body = JSON.stringify({ model: "refused", messages: [{ role: "user", content: "Hello" }] });
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
    key: await createProjectKey({ ...gatehouse, url }),
    body,
  });
  expect(reply.status).toBe(502);
  await page.reload();
  await expect(findRow(page, "refusing")).toContainText("Refuses the gateway’s key for their-name (401)");
  await expectNoAxeViolations(page);
  refusing.close();
});

test("a provider's time limits are typed in seconds, kept, and go back to their defaults", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  await api.createProvider("patient", "http://127.0.0.1:9/v1");
  await page.goto("/providers");
  const open = page.getByRole("button", { name: "Settings of provider “patient”" });
  await open.click();
  const dialog = page.getByRole("dialog", { name: "Settings of the provider “patient”" });
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  await expect(field("Whole answer")).toHaveAttribute("placeholder", "600 by default");
  await field("Whole answer").fill("5000");
  await field("Silence").fill("two minutes");
  await dialog.getByRole("button", { name: "Save settings" }).click();
  await expect(field("Whole answer")).toHaveAccessibleDescription(/must be at most 3600/);
  await expect(field("Silence")).toHaveAccessibleDescription(/must be a number of seconds, or empty/);
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoAxeViolations(page);
  await field("Whole answer").fill("1200");
  await field("Silence").fill("90.5");
  await dialog.getByLabel("stream_options").check();
  await dialog.getByRole("button", { name: "Save settings" }).click();
  await expect(dialog).toBeHidden();
  const read = () => api.call<Record<string, unknown>>("GET", "/providers/patient");
  expect(await read()).toMatchObject({
    timeouts: { whole_answer_seconds: 1_200, idle_seconds: 90.5, connect_seconds: null },
    refused_fields: ["stream_options"],
  });
  await open.click();
  await expect(field("Silence")).toHaveValue("90.5");
  await field("Silence").fill("");
  await dialog.getByRole("button", { name: "Save settings" }).click();
  await expect(dialog).toBeHidden();
  expect(await read()).toMatchObject({ timeouts: { whole_answer_seconds: 1_200, idle_seconds: null } });
});

test("a provider is added with its time limits", async ({ page, gatehouse }) => {
  await page.goto("/providers");
  await page.getByRole("link", { name: "Add provider" }).click();
  await findField(page, "Id").fill("thinker");
  await findField(page, "Base address").fill("https://thinker.example/v1");
  await page.getByText(/^More settings/).click();
  await findField(page, "First event").fill("900");
  await add(page);
  await expect(findRow(page, "thinker")).toBeVisible();
  expect(await adminApi(gatehouse).call("GET", "/providers/thinker")).toMatchObject({
    timeouts: { first_event_seconds: 900 },
    output_limit_field: "max_tokens",
  });
});

test("a choice, or the beginning of a key, fills in what is known of the service", async ({
  page,
  gatehouse,
}) => {
  await page.goto("/providers");
  await page.getByRole("link", { name: "Add provider" }).click();
  const service = (name: string) => page.getByRole("button", { name, exact: true });
  await findField(page, "Key").fill("sk-ant-api03-pasted");
  await expect(service("Anthropic")).toHaveAttribute("aria-pressed", "true");
  await expect(findField(page, "Base address")).toHaveValue("https://api.anthropic.com/v1");
  await service("Azure OpenAI").click();
  await expect(findField(page, "Key")).toBeFocused();
  await expect(findField(page, "Key")).toHaveValue("sk-ant-api03-pasted");
  await expect(findField(page, "Id")).toHaveValue("azure");
  await expect(findField(page, "Base address")).toHaveValue("");
  await expectNoAxeViolations(page);
  await findField(page, "Base address").fill("https://ours.services.ai.azure.com/openai/v1");
  await page.getByText(/^More settings/).click();
  await expect(findField(page, "Header for the key")).toHaveValue("api-key");
  await page.getByLabel(/^chat/).uncheck();
  await add(page);
  await expect(page.getByRole("group", { name: "Protocols" })).toContainText("must name chat or messages");
  await page.getByLabel(/^messages/).check();
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoAxeViolations(page);
  await add(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(findRow(page, "azure")).toContainText("Speaks messages, responses");
  const read = () => adminApi(gatehouse).call("GET", "/providers/azure");
  expect(await read()).toMatchObject({
    protocols: ["messages", "responses"],
    auth: "api-key",
    messages_base_url: "https://ours.services.ai.azure.com/anthropic/v1",
    output_limit_field: "max_completion_tokens",
  });
  await page.getByRole("button", { name: "Settings of provider “azure”" }).click();
  await findField(page, "Header for the key").selectOption("bearer");
  await findField(page, "Address of messages").fill("https://elsewhere.example/v1");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(findField(page, "Address of messages")).toHaveAccessibleDescription(
    /must have the host and port/,
  );
  await findField(page, "Address of messages").fill("");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await read()).toMatchObject({ auth: "bearer", messages_base_url: null });
});

test("a pasted key is tested at once, and the models of the provider are imported at their list prices", async ({
  page,
  gatehouse,
}) => {
  const listed = {
    data: ["gpt-5", "gpt-5-nano", "ft:gpt-4.1-mini:acme::C9x2", "gpt-4o-realtime-preview"].map((id) => ({
      id,
    })),
  };
  const server = createServer((request, reply) => {
    reply.setHeader("content-type", "application/json");
    const answers: Record<string, object> = {
      "/v1/models": listed,
      "/v1/chat/completions": { choices: [{}] },
    };
    const answer = answers[request.url ?? ""];
    reply.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? { error: { message: "Not Found" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await page.goto("/providers/new");
  await page.getByRole("button", { name: "OpenAI", exact: true }).click();
  await findField(page, "Base address").fill(`http://127.0.0.1:${port}/v1`);
  await findField(page, "Key").evaluate((input: HTMLInputElement) => {
    input.focus();
    input.dispatchEvent(new ClipboardEvent("paste", { bubbles: true }));
  });
  await findField(page, "Key").fill("sk-proj-canary");
  await expect(page.getByRole("heading", { name: "2 of 3 models have a known price" })).toBeVisible();
  await expect(page.getByText("1 are older versions or need another API")).toBeVisible();
  await expectNoAxeViolations(page);
  const save = (models: string) => page.getByRole("button", { name: `Import ${models}`, exact: true });
  await expect(save("2 models")).toBeEnabled();
  await page.getByRole("checkbox", { name: "Import ft:gpt-4.1-mini" }).check();
  await expect(page.getByText("Input price missing:")).toBeVisible();
  await expect(page.getByLabel("Input price of ft:gpt-4.1-mini:acme::C9x2", { exact: true })).toBeFocused();
  await expect(save("3 models")).toBeDisabled();
  await page.getByLabel("Input price of ft:gpt-4.1-mini:acme::C9x2", { exact: true }).fill("0.80");
  await page.getByLabel("Output price of ft:gpt-4.1-mini:acme::C9x2").fill("3.20");
  await page.getByLabel("Model rate for all ticked").fill("1.25");
  await page.getByLabel("Model rate of gpt-5-nano").fill("2");
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoAxeViolations(page);
  await save("3 models").click();
  await expect(page).toHaveURL(/\/models$/);
  const api = adminApi(gatehouse);
  expect(await api.call("GET", "/models/gpt-5")).toMatchObject({
    rate: "1.25",
    price: { input_per_1m: "1.25", cached_input_per_1m: "0.125", output_per_1m: "10.00" },
    projects: [],
  });
  expect(await api.call("GET", "/models/gpt-5-nano")).toMatchObject({ rate: "2.00" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/providers");
  await page.getByRole("link", { name: "Test and import models of “openai”" }).click();
  await page.getByRole("button", { name: "Test and list models" }).click();
  await expect(page.getByText("already here, 1.25").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Import models", exact: true })).toBeDisabled();
  server.close();
});
