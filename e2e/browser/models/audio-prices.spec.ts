import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "audio-prices" });
test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

test("a chat model's tokens of audio get a price of their own, which can be removed again", async ({
  page,
  gatehouse,
}) => {
  await page.goto("/models/sandbox-echo");
  const [input, output] = [page.getByLabel("Audio input price"), page.getByLabel("Audio output price")];
  await page.getByText("More prices").click();
  await input.fill("40");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText("Audio output price is required.")).toBeVisible();
  await output.fill("80");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect
    .poll(() => adminApi(gatehouse).call("GET", "/models/sandbox-echo"))
    .toMatchObject({ audio_price: { input_per_1m: "40.00", output_per_1m: "80.00" }, rate: "0.50" });
  await expect(page.getByText("Saved 2 changes")).toBeVisible();

  await page.goto("/models");
  const row = page.getByRole("row", { name: /sandbox-echo/ });
  await expect(row.getByText("audio")).toHaveCount(2);
  await expect(row.locator("data[value='80.00']")).toBeVisible();
  await expectNoAxeViolations(page);

  await page.goto("/calculator?model=sandbox-echo");
  const line = page.getByRole("group", { name: "sandbox-echo" });
  for (const [label, text] of [
    ["Calls a day, sandbox-echo", "100"],
    ["Tokens in, sandbox-echo", "1,000"],
    ["Tokens out, sandbox-echo", "0"],
    ["Audio tokens in, sandbox-echo", "10k"],
    ["Audio tokens out, sandbox-echo", "5,000"],
  ] as const)
    await line.getByLabel(label, { exact: true }).fill(text);
  // 100 × (1,000 × 1.00 + 10,000 × 40.00 + 5,000 × 80.00) ÷ 1,000,000 × 0.5.
  await expect(line.locator("data[value='40.05']")).toBeVisible();
  await expectNoAxeViolations(page);

  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.goto("/models/sandbox-echo");
  await expectNoSidewaysScroll(page);
  await input.fill("");
  await output.fill("");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect
    .poll(() => adminApi(gatehouse).call("GET", "/models/sandbox-echo"))
    .toMatchObject({ audio_price: null });
});

test("a model that neither hears nor speaks has no such prices", async ({ page }) => {
  await page.goto("/models/sandbox-embedding");
  await expect(page.getByLabel("Input list price")).toBeVisible();
  await expect(page.getByLabel("Audio input price")).toHaveCount(0);
});

test("a transcription model is priced by tokens of text and of heard audio", async ({ page, gatehouse }) => {
  await page.goto("/models/new");
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await field("Kind of model").selectOption("transcription");
  await field("Id").fill("token-ear");
  await field("Provider").selectOption("sandbox");
  await field("Model at the provider").fill("sandbox-transcribe");
  await field("Priced by").selectOption("token");
  await field("Input list price").fill("2.50");
  await field("Output list price").fill("10");
  await page.getByText("More prices").click();
  await field("Audio input price").fill("6");
  await expect(field("Audio output price")).toHaveCount(0);
  await field("Max output tokens").fill("2000");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Add model" }).click();
  await expect(page).toHaveURL(/\/models\/token-ear$/);
  const model = () => adminApi(gatehouse).call("GET", "/models/token-ear");
  expect(await model()).toMatchObject({
    price: { input_per_1m: "2.50", output_per_1m: "10.00" },
    audio_price: { input_per_1m: "6.00", output_per_1m: "0.00" },
    unit_price: null,
    max_output_tokens: 2_000,
  });

  await field("Audio input price").fill("5");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect.poll(model).toMatchObject({ audio_price: { input_per_1m: "5.00", output_per_1m: "0.00" } });
  await page.getByRole("button", { name: "Schedule a price" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Takes effect").fill("2100-01-01T00:00");
  await dialog.getByLabel("Audio input price").fill("");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Schedule price" }).click();
  await expect(page.getByRole("cell", { name: "audio priced as text", exact: true })).toBeVisible();
});

test("tokens of heard audio are in the arithmetic of the charge", async ({ page, gatehouse }) => {
  await adminApi(gatehouse).call("POST", "/models/sandbox-transcribe", {
    price: { input_per_1m: "2.50", output_per_1m: "10.00" },
    audio_price: { input_per_1m: "6.00", output_per_1m: "0" },
  });
  const project = await adminApi(gatehouse).createProject("Listening");
  const { value } = await adminApi(gatehouse).createKey(project.id, "ear");
  const form = new FormData();
  form.append("model", "sandbox-transcribe");
  // The sandbox hears 16,000 bytes a second: 30 tokens of audio.
  form.append("file", new File([new Uint8Array(24_000)], "talk.mp3"));
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/audio/transcriptions`, { key: value, body: form });
  expect(reply.status).toBe(200);
  await page.goto(`/requests/${reply.headers.get("x-request-id")}`);
  const arithmetic = page.getByRole("table", { name: "How this charge was computed" });
  await expect(arithmetic.getByRole("row", { name: /Audio input/ })).toContainText("30 tokens × 6.00 ÷");
  await expect(arithmetic.getByRole("row", { name: /Audio output/ })).toHaveCount(0);
  await expectNoAxeViolations(page);
});
