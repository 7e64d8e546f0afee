import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "price-classes" });
test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

/** 172,000 tokens of a prompt, of which 155,000 were cached and 3,000 written. */
const usage = {
  prompt_tokens: 172_000,
  completion_tokens: 9,
  prompt_tokens_details: { cached_tokens: 155_000, cache_write_tokens: 3_000 },
  completion_tokens_details: { reasoning_tokens: 4 },
};

test("prices of classes are typed behind More prices, and the receipt and the calculator compute with them", async ({
  page,
  gatehouse,
}) => {
  const server = createServer(async (request, reply) => {
    for await (const _ of request);
    const choices = [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }];
    reply.setHeader("content-type", "application/json");
    reply.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices, usage }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const api = adminApi(gatehouse);
  await api.createProvider("local", `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  await api.call("POST", "/models", {
    id: "agent",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "5", output_per_1m: "0" },
    context_window: 1_000_000,
    max_output_tokens: 1_000,
    routes: [{ provider: "local", model: "m" }],
  });

  await page.goto("/models/agent");
  await expect(page.getByText("cached input, cache writes")).toBeVisible();
  const cached = page.getByLabel("Cached input price", { exact: true });
  await expect(cached).toBeHidden();
  await page.getByText("More prices").click();
  await cached.fill("0.5");
  await page.getByLabel("Cache write price, 5 min", { exact: true }).fill("6.25");
  await page.getByLabel("Long prompts begin above").fill("200,000");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText(/Long prompt input price is required/)).toBeVisible();
  await page.getByLabel("Long prompt input price").fill("10");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect
    .poll(() => api.call("GET", "/models/agent"))
    .toMatchObject({
      price: {
        cached_input_per_1m: "0.50",
        cache_write_5m_per_1m: "6.25",
        long_context_from: 200_000,
        long_context: { input_per_1m: "10.00" },
      },
    });
  await expect(page.getByText("cache writes for 1 hour")).toBeVisible();
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);

  const project = await api.createProject("Agents");
  const { value } = await api.createKey(project.id, "k");
  const content = "word ".repeat(172_000);
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
    key: value,
    body: { model: "agent", messages: [{ role: "user", content }] },
  });
  expect(reply.status).toBe(200);
  await page.goto(`/requests/${reply.headers.get("x-request-id")}`);
  const arithmetic = page.getByRole("table", { name: "How this charge was computed" });
  await expect(arithmetic.getByRole("row", { name: /Input/ }).first()).toContainText(
    "14,000 tokens × 5.00 ÷",
  );
  await expect(arithmetic.getByRole("row", { name: /Cached input/ })).toContainText(
    "155,000 tokens × 0.50 ÷",
  );
  await expect(arithmetic.getByRole("row", { name: /Cache write/ })).toContainText("3,000 tokens × 6.25 ÷");
  await expect(arithmetic.getByRole("row", { name: /of which reasoning/ })).toContainText("4 tokens");
  await expect(arithmetic.locator("data[value='0.16625']").last()).toBeVisible();
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);

  await page.goto("/calculator?model=agent");
  const line = page.getByRole("group", { name: "agent" });
  for (const [label, text] of [
    ["Calls a day, agent", "400"],
    ["Tokens in, agent", "14,000"],
    ["Cached in, agent", "155,000"],
    ["Cache write in, agent", "3,000"],
  ] as const)
    await line.getByLabel(label, { exact: true }).fill(text);
  // 400 × 0.16625.
  await expect(line.locator("data[value='66.50']")).toBeVisible();
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);
  server.close();
});
