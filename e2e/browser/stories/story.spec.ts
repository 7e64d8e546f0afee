import OpenAI from "openai";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { runScript } from "../../support/programs/run-script";
import { startWordProvider } from "../../support/servers/word-provider";

test.use({ scene: "story" });

type Outcome = {
  status: number;
  text?: string;
  code?: string;
  retryAfter?: string;
  body?: { balance?: { required: string } };
};

/** Runs a separate program that calls a model with the official `openai` package. */
function callModel(baseUrl: string, key: string, model: string, times: number): Outcome[] {
  return runScript("call-model", baseUrl, key, model, String(times))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Outcome);
}

test("a newcomer's first ten minutes", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  let key = "";

  await test.step("the sign-in link leads to the overview", async () => {
    await page.goto(gatehouse.signInUrl);
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    await expect(page.getByText("10.00").first()).toBeVisible();
  });

  await test.step("a key is created and shown once, with snippets", async () => {
    await page.goto("/keys");
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("first program");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    key = await dialog
      .getByText(/^gk_live_\w{49}$/)
      .first()
      .innerText();
    await expect(dialog.getByRole("tab", { name: "curl" })).toBeVisible();
    await expect(dialog.getByRole("tab", { name: "openai" }).first()).toBeVisible();
    await dialog.getByRole("button", { name: "I have copied it" }).click();
    await page.reload();
    await expect(page.getByText("first program", { exact: true })).toBeVisible();
    expect(await page.content()).not.toContain(key);
  });

  await test.step("requests per minute of one model are set to 3", async () => {
    await page.goto("/rate-limits/rl_sandbox-echo");
    await page.getByLabel("Requests per minute", { exact: true }).fill("3");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Saved 1 change")).toBeVisible();
  });

  await test.step("a separate program gets three answers, and a true refusal", async () => {
    const outcomes = callModel(gatehouse.baseUrl, key, "sandbox-echo", 4);
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(outcomes[0]?.text).toBe("one two three");
    expect(outcomes[3]?.code).toBe("max_requests_per_1_minute");
    expect(Number(outcomes[3]?.retryAfter)).toBeGreaterThan(0);
    expect(Number(outcomes[3]?.retryAfter)).toBeLessThanOrEqual(61);
  });

  await test.step("the balance shows exactly what the three answers cost", async () => {
    await page.goto("/balance");
    // Three tokens in at 1.00 and three out at 2.00 per million, at rate 0.5: 0.0000045 each.
    await expect(page.getByText("9.9999865").first()).toBeVisible();
    await expect(page.getByText(/[-−]0\.0000045/)).toHaveCount(3);
  });

  await test.step("the calculator says that 10.00 at rate 0.2 is 50.00", async () => {
    await page.goto("/calculator?payment=10.00&rate=0.2");
    await expect(page.getByText("50.00").first()).toBeVisible();
  });

  await test.step("a role made in the console is returned by the official SDK", async () => {
    await page.goto("/roles/new");
    await page.getByRole("textbox", { name: "Name" }).fill("Auditor");
    await page.getByRole("textbox", { name: "Description" }).fill("Reads the books.");
    await page.getByRole("checkbox", { name: /See every ledger entry/ }).check();
    await page.getByRole("button", { name: "Create role" }).click();
    await page.waitForURL(/\/roles(\/role_\w+)?$/);
    const client = new OpenAI({ baseURL: gatehouse.baseUrl, apiKey: "", adminAPIKey: gatehouse.adminKey });
    const roles = [];
    for await (const role of client.admin.organization.roles.list()) roles.push(role);
    expect(roles.find(({ name }) => name === "Auditor")).toMatchObject({
      object: "role",
      description: "Reads the books.",
      permissions: ["api.ledger.read"],
      predefined_role: false,
    });
  });

  await test.step("an answer streams in the playground, and stopping it stops the provider", async () => {
    const provider = await startWordProvider(500);
    await api.createProvider("local", provider.baseUrl);
    const price = { input_per_1m: "1.00", output_per_1m: "1.00" };
    await api.createModel({
      id: "local-model",
      family: "chat",
      rate: "1",
      price,
      routes: [{ provider: "local", model: "any" }],
    });
    await page.goto("/playground?model=local-model");
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("Count");
    await page.keyboard.press("Enter");
    await expect(page.getByText("word3")).toBeVisible();
    await page.getByRole("button", { name: "Stop" }).click();
    await expect.poll(() => provider.calls[0]?.isAborted).toBe(true);
    expect(provider.calls[0]?.wordsSent).toBeLessThan(500);
    await provider.stop();
  });

  await test.step("a balance that is used up answers 402, and says the same in words", async () => {
    await api.call("POST", "/models/sandbox-chat", {
      price: { input_per_1m: "1000000", output_per_1m: "1000000" },
    });
    const [spent, refused] = callModel(gatehouse.baseUrl, key, "sandbox-chat", 2);
    expect(spent?.status).toBe(200);
    expect(refused).toMatchObject({ status: 402, code: "insufficient_balance" });
    const { required = "" } = refused?.body?.balance ?? {};
    const { available } = await api.call<{ available: string }>("GET", "/balance");
    expect(Number(available)).toBeLessThan(Number(required));

    await page.goto("/playground?model=sandbox-chat");
    // A message that is sent before the tab's conversation is restored stays unsent.
    await expect(page.getByText("word3")).toBeVisible();
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("one two three");
    await page.keyboard.press("Enter");
    const refusal = page.getByRole("article").last();
    await expect(refusal).toContainText("The balance is too low for this call");
    await expect(refusal).toContainText(available);
  });
});
