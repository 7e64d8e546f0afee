import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { chooseModel } from "../../support/pages/choose-model";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { holdScripts } from "../../support/pages/hold-scripts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "playground models" });

const MANY = 60;

test.beforeAll(async ({ gatehouse }) => {
  const api = adminApi(gatehouse);
  await api.createProvider("acme", "http://127.0.0.1:9/v1");
  for (let number = 1; number <= MANY; number++) {
    const price = { input_per_1m: "0.25", output_per_1m: String(number) };
    const routes = [{ provider: "acme", model: `upstream-${number}` }];
    await api.createModel({ id: `words-${number}`, family: "chat", rate: "1", price, routes });
  }
  await api.createModel({
    id: "painter",
    family: "image",
    rate: "0.5",
    unit_price: { unit: "image", amount: "0.04", qualities: { hd: "0.08" } },
    routes: [{ provider: "acme", model: "painter" }],
  });
});

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const field = (page: Page) => page.getByRole("combobox", { name: "Model", exact: true });
const list = (page: Page) => page.getByRole("listbox", { name: "Models" });
const options = (page: Page) => list(page).getByRole("option");
const option = (page: Page, id: string) => options(page).filter({ has: page.getByText(id, { exact: true }) });
const current = (page: Page) => list(page).locator('[aria-selected="true"]');

async function open(page: Page, model: string): Promise<void> {
  await page.goto(`/playground?model=${model}`);
  await expect(field(page).and(page.locator("input"))).toHaveValue(model);
}

test("a model is found by its id, its provider or its family, and chosen by its price", async ({ page }) => {
  await open(page, "words-5");
  await field(page).click();
  await expect(option(page, "words-60")).toContainText("0.25 in, 60.00 out");
  await expect(option(page, "words-60")).toContainText("acme");
  await expect(current(page)).toContainText("words-5");
  await expect(list(page).getByRole("group")).toHaveText([
    /^Chatwords-1/,
    /^Imagepainter/,
    /^Chat · sandbox, not an AI/,
    /^Image · sandbox, not an AI/,
    /^Video · sandbox/,
    /^Music · sandbox/,
    /^Speech · sandbox/,
    /^Transcription · sandbox/,
    /^Embedding · sandbox/,
    /^Moderation · sandbox/,
  ]);
  await expectNoAxeViolations(page);
  await field(page).fill("acme image");
  await expect(options(page)).toHaveText([/^painter0\.04, hd 0\.08acmeUSD per image × rate 0\.50$/]);
  await options(page).click();
  await expect(field(page)).toHaveValue("painter");
  await expect(page.getByLabel("Size")).toBeVisible();
});

test("the list opens by typing, and is used by keyboard; Escape keeps the model", async ({ page }) => {
  await open(page, "words-5");
  await field(page).focus();
  await page.keyboard.type("words-2");
  await expect(field(page)).toHaveValue("words-2");
  await expect(current(page)).toHaveText(/^words-20\.25 in/);
  await page.keyboard.press("ArrowDown");
  await expect(current(page)).toContainText("words-20");
  await page.keyboard.press("End");
  await expect(current(page)).toContainText("words-29");
  await page.keyboard.press("ArrowDown");
  await expect(current(page)).toHaveText(/^words-20\.25 in/);
  await page.keyboard.press("Escape");
  await expect(list(page)).toHaveCount(0);
  await expect(field(page)).toHaveValue("words-5");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("nothing");
  await expect(page.getByText("No model matches “nothing”.")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(field(page)).toHaveValue("words-5");
  await field(page).fill("words-20");
  await page.getByRole("textbox", { name: "Message", exact: true }).click();
  await expect(field(page)).toHaveValue("words-20");
});

test("models of the conversation come first", async ({ page }) => {
  await open(page, "words-5");
  await page.getByRole("button", { name: "Add pane" }).click();
  const second = page.getByRole("region", { name: "Pane 2:" });
  await chooseModel(second, "words-41");
  await second.getByLabel("Model", { exact: true }).click();
  const recent = list(page).getByRole("group", { name: "In this conversation" });
  await expect(recent.getByRole("option")).toHaveText([/^words-50\.25 in/, /^words-410\.25 in/]);
  await expect(option(page, "words-41")).toHaveCount(1);
});

test("on a phone the list is as wide as the screen and is chosen from by touch", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await open(page, "words-5");
  await field(page).click();
  await expect(options(page).first()).toBeVisible();
  const box = await list(page).boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await option(page, "words-7").click();
  await expect(field(page)).toHaveValue("words-7");
});

test("the focus stays on the model while the page's script loads", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto("/playground?model=words-5", { waitUntil: "commit" });
  await field(page).focus();
  await release();
  await expect(field(page).and(page.locator("input"))).toBeFocused();
  await page.keyboard.type("painter");
  await page.keyboard.press("Enter");
  await expect(field(page)).toHaveValue("painter");
});
