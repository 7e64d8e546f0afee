import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { DESK, PHONE } from "../../support/pages/viewports";
import { writeConfiguration } from "../../support/programs/write-configuration";

/** A provider at an address where nothing listens. */
const gone = { id: "gone", kind: "openai", base_url: "http://127.0.0.1:9/v1" };
const configuration = JSON.stringify({
  providers: [gone],
  models: [
    {
      id: "relay",
      family: "chat",
      rate: "1",
      price: { input_per_1m: "1.00", output_per_1m: "2.00" },
      max_output_tokens: 1000,
      routes: [
        { provider: "gone", model: "first" },
        { provider: "sandbox", model: "sandbox-echo" },
      ],
    },
  ],
});
test.use({ scene: "attempts", environment: { GATEHOUSE_CONFIG: writeConfiguration(configuration) } });

test("a receipt shows the caller and a table of attempts as a waterfall, and usage is split by provider", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Attempts");
  const key = await api.createKey(project.id, "k");
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
    key: key.value,
    body: {
      model: "relay",
      messages: [{ role: "user", content: "one two" }],
      max_tokens: 50,
      temperature: 0.5,
    },
    headers: { "user-agent": "nightly-eval/1.4", "idempotency-key": "pay-once" },
  });
  expect(reply.status).toBe(200);
  await signIn(page, gatehouse);
  await page.goto(`/requests/${reply.headers.get("x-request-id")}`);
  const waterfall = page.getByRole("table", { name: "Where its time went" });
  const attempts = waterfall.getByRole("rowheader").filter({ hasText: " · " });
  await expect(attempts).toHaveText([
    /^1\. gone · first never reached, .*, tried again$/,
    /^2\. sandbox · sandbox-echo answered 200/,
  ]);
  await expect(waterfall.getByRole("row", { name: /^Not reached/ })).toBeVisible();
  await expect(waterfall.getByRole("row", { name: /^Total/ })).toBeVisible();
  await expect(page.getByText("nightly-eval/1.4")).toBeVisible();
  await expect(page.getByText("at most 50 output tokens, temperature 0.5")).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText("pay-once");
  const tokens = page.getByRole("listitem").filter({ hasText: "Tokens per minute" });
  await expect(tokens).toContainText("0 of 1,000,000, took");
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);

  await page.setViewportSize(DESK);
  await page.goto("/usage?group_by=provider&metric=requests");
  await expect(page.getByRole("row", { name: /^sandbox/ })).toBeVisible();
  await page.getByLabel("Provider", { exact: true }).selectOption("gone");
  await expect(page.getByText("No calls match these filters")).toBeVisible();
  await expectNoAxeViolations(page);
});

test("the playground opens as the call was sent, and a reload finds what was changed since", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Again");
  const key = await api.createKey(project.id, "k");
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
    key: key.value,
    body: {
      model: "sandbox-echo",
      messages: [{ role: "user", content: "one two" }],
      max_tokens: 50,
      temperature: 0.5,
    },
  });
  expect(reply.status).toBe(200);
  await signIn(page, gatehouse);
  await page.goto(`/requests/${reply.headers.get("x-request-id")}`);
  await page.getByRole("link", { name: "Open in playground" }).click();
  await expect(page.getByLabel("Temperature", { exact: true })).toHaveValue("0.5");
  await expect(page.getByLabel(/^Max output tokens/)).toHaveValue("50");
  await expect(page.getByRole("group", { name: "Conversation with sandbox-echo" })).toBeVisible();
  await page.getByLabel("Temperature", { exact: true }).fill("0.7");
  await page.reload();
  await expect(page.getByLabel("Temperature", { exact: true })).toHaveValue("0.7");
  await expect(page.getByLabel(/^Max output tokens/)).toHaveValue("50");
});

test("a receipt says what an output limit was lowered to, and why", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Lowered");
  const key = await api.createKey(project.id, "k");
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
    key: key.value,
    body: { model: "relay", messages: [{ role: "user", content: "one two" }], max_tokens: 32_000 },
  });
  expect(reply.headers.get("x-gatehouse-max-tokens")).toBe("1000");
  await signIn(page, gatehouse);
  await page.goto(`/requests/${reply.headers.get("x-request-id")}`);
  await expect(page.getByText("at most 32,000 output tokens")).toBeVisible();
  await expect(page.getByText("1,000 output tokens: the model writes no more")).toBeVisible();
  await expectNoAxeViolations(page);
});
