import type { UnitPrice } from "@/lib/contract/operations/models/models";
import { adminApi } from "../../support/clients/admin-api";
import { chargeOfCall } from "../../support/clients/charge-of-call";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { findField, findRow, findSaveButton } from "../../support/pages/find-on-page";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import type { Gatehouse } from "../../support/programs/start-gatehouse";
import { writeConfiguration } from "../../support/programs/write-configuration";

const configuration = `providers:
  - { id: elsewhere, kind: openai, base_url: "https://elsewhere.example/v1", api_key: sk-configured }
models:
  - { id: unpriced, family: chat, rate: "0.5", routes: [{ provider: elsewhere, model: any }] }
`;
test.use({ environment: { GATEHOUSE_CONFIG: writeConfiguration(configuration) } });
test.beforeEach(async ({ page, gatehouse }) => signIn(page, gatehouse));

async function makeModel(gatehouse: Gatehouse, id: string): Promise<void> {
  await adminApi(gatehouse).createModel({
    id,
    family: "chat",
    rate: "0.5",
    price: { input_per_1m: "1000", output_per_1m: "2000" },
    routes: [{ provider: "sandbox", model: "sandbox-echo" }],
  });
}

test("a model rate shows its effect as typed, and is the price of the next call", async ({
  page,
  gatehouse,
}) => {
  await makeModel(gatehouse, "family/rated");
  expect((await chargeOfCall(gatehouse, "family/rated")).charge?.amount).toBe("0.0045");
  await page.goto("/models");
  await page.getByRole("link", { name: "family/rated" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "family/rated" })).toBeVisible();
  await expect(page.getByText("Calls in progress keep their price")).toBeVisible();
  await expectNoAxeViolations(page);

  const meaning = page.locator("dl", { hasText: "A payment of 10.00 is worth" });
  await expect(meaning).toContainText("worth20.00 USD");
  await findField(page, "Model rate").fill("0.2");
  await expect(meaning).toContainText("now 20.0050.00 USD");
  await expect(meaning).toContainText("now 500.00200.00 USD");
  await expect(page.getByRole("tabpanel")).toContainText("/organization/models/family%2Frated");
  await expect(page.getByRole("tabpanel")).toContainText('"rate": "0.2"');
  await expect(page.getByText("1 unsaved change")).toBeVisible();
  await expectNoAxeViolations(page);
  await findSaveButton(page).click();
  await expect(page.getByText("Saved 1 change")).toBeVisible();
  await expectNoAxeViolations(page);

  expect((await chargeOfCall(gatehouse, "family/rated")).charge).toMatchObject({
    amount: "0.0018",
    price: { input_per_1m: "1000.00", output_per_1m: "2000.00", rate: "0.20" },
  });
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Models" }).click();
  await expect(findRow(page, "family/rated")).toContainText("5.00");
  await expect(findRow(page, "family/rated")).toContainText("added here");
});

test("a saved price can be taken back, and leaving with one unsaved asks first", async ({
  page,
  gatehouse,
}) => {
  await makeModel(gatehouse, "taken-back");
  await page.goto("/models/taken-back");
  await findField(page, "Input list price").fill("1,500.25");
  await findSaveButton(page).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone")).toBeVisible();
  await expect(findField(page, "Input list price")).toHaveValue("1,000.00");
  expect((await chargeOfCall(gatehouse, "taken-back")).charge?.amount).toBe("0.0045");

  await findField(page, "Output list price").fill("7");
  await page.getByRole("navigation").getByRole("link", { name: "People" }).click();
  const question = page.getByRole("dialog", { name: "Discard 1 unsaved change?" });
  await expect(question).toBeVisible();
  await expectNoAxeViolations(page);
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(findField(page, "Output list price")).toHaveValue("7");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(findField(page, "Output list price")).toHaveValue("2,000.00");
});

test("a rate of 0 and a price that is no number are refused, and stay as typed", async ({
  page,
  gatehouse,
}) => {
  await makeModel(gatehouse, "faulty");
  await page.goto("/models/faulty");
  await findField(page, "Model rate").fill("0");
  await findField(page, "Input list price").fill("ten");
  await findSaveButton(page).click();
  await expect(findField(page, "Model rate")).toHaveAccessibleDescription(/must be greater than 0/);
  await expect(findField(page, "Input list price")).toHaveAccessibleDescription(/Enter a number/);
  await expect(findField(page, "Model rate")).toHaveValue("0");
  await expect(findField(page, "Input list price")).toHaveValue("ten");
  await expect(page.getByText("not known yet")).toHaveCount(3);
  await expectNoAxeViolations(page);
  expect((await chargeOfCall(gatehouse, "faulty")).charge?.amount).toBe("0.0045");
});

test("a duplicate model id is reported at its field, and the input stays", async ({ page }) => {
  await page.goto("/models/new");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Add model" }).click();
  await expect(findField(page, "Id")).toBeFocused();
  await expect(findField(page, "Provider")).toHaveAttribute("aria-invalid", "true");
  await expectNoAxeViolations(page);
  await findField(page, "Id").fill("sandbox-chat");
  await findField(page, "Provider").selectOption("sandbox");
  await findField(page, "Model at the provider").fill("sandbox-chat");
  await findField(page, "Input list price").fill("0");
  await findField(page, "Output list price").fill("0");
  await page.getByRole("button", { name: "Add model" }).click();
  await expect(findField(page, "Id")).toHaveAccessibleDescription(/There is a model "sandbox-chat" already/);
  await expect(findField(page, "Id")).toBeFocused();
  await expect(findField(page, "Model at the provider")).toHaveValue("sandbox-chat");
  await expectNoAxeViolations(page);
});

test("a new model of each kind asks only for its own prices, and is added with them", async ({
  page,
  gatehouse,
}) => {
  await page.goto("/models/new");
  const kind = findField(page, "Kind of model");
  await findField(page, "Id").fill("my-ear");
  await findField(page, "Provider").selectOption("sandbox");
  await findField(page, "Model at the provider").fill("sandbox-transcribe");
  await kind.selectOption("image");
  await expect(findField(page, "Input list price")).toHaveCount(0);
  await expect(findField(page, "Max output tokens")).toHaveCount(0);
  await page.getByRole("button", { name: "Add model" }).click();
  await expect(findField(page, "List price")).toHaveAttribute("aria-invalid", "true");
  await expectNoAxeViolations(page);
  await kind.selectOption("embedding");
  await expect(findField(page, "Input list price")).toBeVisible();
  await expect(findField(page, "Output list price")).toHaveCount(0);
  await kind.selectOption("transcription");
  await findField(page, "Priced by").selectOption("minute");
  await findField(page, "List price").fill("0.006");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Add model" }).click();
  await expect(page).toHaveURL(/\/models\/my-ear$/);
  const added = await adminApi(gatehouse).call<object>("GET", "/models/my-ear");
  expect(added).toMatchObject({
    family: "transcription",
    unit_price: { unit: "minute", amount: "0.006" },
    price: null,
  });
});

test("a model without a price is said to be not callable until it gets one", async ({ page }) => {
  await page.goto("/models?q=unpriced");
  await expect(findRow(page, "unpriced")).toContainText("not callable");
  await expect(findRow(page, "unpriced")).toContainText("configuration file");
  await expect(page.getByText("sandbox-chat", { exact: true })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "unpriced" }).click();
  await expect(page.getByText("This model is not callable")).toBeVisible();
  await expectNoAxeViolations(page);
  await findField(page, "Input list price").fill("1");
  await findField(page, "Output list price").fill("2");
  await findSaveButton(page).click();
  await expect(page.getByText("Saved 2 changes")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  await expect(page.getByText("This model is not callable")).toHaveCount(0);
});

test("on a phone nothing scrolls sideways", async ({ page, gatehouse }) => {
  const id = "a-model-whose-name-is-so-long-that-it-has-to-break-somewhere-on-a-phone";
  await makeModel(gatehouse, id);
  await page.setViewportSize(PHONE);
  for (const path of ["/models", "/models/new", `/models/${id}`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectNoAxeViolations(page);
  }
  await page.goto("/providers");
  await page.getByRole("link", { name: "Add provider" }).click();
  await expect(page.getByRole("heading", { name: "Add a provider" })).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test("shows and changes the unit price of a media model", async ({ page, gatehouse }) => {
  await page.goto("/models");
  await expect(findRow(page, "sandbox-image")).toContainText("0.04 / megapixel");
  await page.goto("/models/sandbox-image");
  await findField(page, "List price").fill("0.06");
  await findSaveButton(page).click();
  await expect(page.getByText("1 unsaved change")).toBeHidden();
  await expectNoAxeViolations(page);
  const unit_price = { unit: "megapixel", amount: "0.06", qualities: { hd: "0.08" } };
  const saved = await adminApi(gatehouse).call<{ unit_price: object }>("GET", "/models/sandbox-image");
  expect(saved.unit_price).toEqual(unit_price);
});

test("a price saved over another member's price of a quality keeps that one, as does its undo", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const path = "/models/sandbox-image";
  const readPrice = async () => (await call<{ unit_price: UnitPrice }>("GET", path)).unit_price;
  const price = await readPrice();
  await page.goto(path);
  await findField(page, "List price").fill("0.07");
  const changed = { ...price, qualities: { hd: "0.11" } };
  await call("POST", path, { unit_price: changed });
  await findSaveButton(page).click();
  await expect(page.getByText("Saved 1 change")).toBeVisible();
  expect(await readPrice()).toEqual({ ...changed, amount: "0.07" });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone")).toBeVisible();
  expect(await readPrice()).toEqual(changed);
});
