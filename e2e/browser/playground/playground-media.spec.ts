import type { Locator, Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { chooseModel } from "../../support/pages/choose-model";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { messageBox, sendMessage } from "../../support/pages/message-box";
import { openAsMember } from "../../support/pages/open-as-member";
import { openDetails, receiptCosts } from "../../support/pages/receipts";
import { createSelectedProject } from "../../support/pages/select-project";

test.use({ scene: "playground media" });

let projectId: string;

test.beforeEach(async ({ context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  const email = `${projectId.replace("_", "-")}@example.com`;
  await openAsMember(context, gatehouse, { email, name: "Tess", role: "prompt_tester" });
});

const pane = (page: Page, place = 1) => page.getByRole("region", { name: `Pane ${place}:` });
const ended = { timeout: 20_000 };

async function open(page: Page, model: string): Promise<Locator> {
  await page.goto(`/playground?model=${model}`);
  // The page's script has loaded: until then, this is a select.
  await expect(page.getByLabel("Model", { exact: true }).and(page.locator("input"))).toHaveValue(model);
  return pane(page);
}
const further = (form: Locator, value: object) =>
  form.getByLabel("Further parameters").fill(JSON.stringify(value));

test("a picture is priced before it is made, shown with its cost, and still there after a reload; code and log have it too", async ({
  page,
  gatehouse,
}) => {
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-image", { max_images_per_1_minute: 10 });
  const only = await open(page, "sandbox-image");
  await expect(only).toContainText("0.04 USD per megapixel, 0.08 in hd, × rate 0.5");
  await only.getByLabel("Size").fill("huge");
  await sendMessage(page, "a lighthouse");
  await expect(page.getByRole("alert").filter({ hasText: "Size: write it as 1024x1024." })).toBeVisible();
  await expect(messageBox(page)).toHaveValue("a lighthouse");
  await expectNoAxeViolations(page);
  await only.getByLabel("Size").fill("1000x500");
  await only.getByLabel("Quality").selectOption("hd");
  await expect(page.getByText("holds up to")).toContainText("0.02");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  const check = page.getByRole("dialog", { name: "Before sending" });
  await expect(check).toContainText("It would be let through");
  await expect(check.getByRole("row", { name: /Images per minute/ })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Send", exact: true }).click();
  const picture = only.getByRole("img", { name: "Result" });
  await expect(picture).toBeVisible(ended);
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1000);
  await expect(only.getByRole("article")).toContainText("0.02 USD for 0.5 megapixels");
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(picture).toBeVisible();
  await expectAccessibleOnPhone(page);

  await page.getByRole("button", { name: "Code", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("/images/generations");
  await page.keyboard.press("Escape");
  await only.getByRole("link", { name: "Task", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Image task" })).toBeVisible();
  await page.goto("/tasks");
  await expect(page.getByRole("table", { name: "Tasks, newest first" })).toContainText("sandbox-image");
  await expectNoAxeViolations(page);
});

test("a film is followed across a reload and canceled, and costs nothing", async ({ page }) => {
  const only = await open(page, "sandbox-video");
  await further(only, { sandbox: { outcome: "never ends" } });
  await sendMessage(page, "waves");
  await expect(only.getByRole("progressbar", { name: "Made" })).toBeVisible(ended);
  await expect(only).toContainText("You can leave this page. The task continues.");
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(only.getByRole("progressbar", { name: "Made" })).toBeVisible(ended);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(only.getByRole("article")).toContainText("Nothing was charged", ended);
  await expect(only.getByText("Stopped", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Stop" })).toHaveCount(0);
});

test("a film is followed in two tabs: one cancels it, both show that, each with one answer", async ({
  page,
  context,
}) => {
  const first = await open(page, "sandbox-video");
  await further(first, { sandbox: { outcome: "never ends" } });
  await sendMessage(page, "waves");
  const isMade = (message: Locator) => message.getByRole("progressbar", { name: "Made" });
  await expect(isMade(first)).toBeVisible(ended);
  // Another tab opens what is saved.
  await expect(page.getByText("Saved", { exact: true })).toBeVisible(ended);
  const tab = await context.newPage();
  await tab.goto("/playground");
  const second = pane(tab);
  await expect(isMade(second)).toBeVisible(ended);
  await expect(isMade(first)).toBeVisible();
  await tab.getByRole("button", { name: "Stop" }).click();
  for (const one of [second, first]) {
    await expect(one.getByText("Stopped", { exact: true })).toBeVisible(ended);
    await expect(one.getByRole("article")).toHaveCount(1);
    await expect(one.getByRole("article")).toContainText("Nothing was charged");
  }
  await tab.close();
});

test("a chat, a tune and a spoken text answer one message beside each other", async ({ page }) => {
  await open(page, "sandbox-echo");
  for (const [place, model] of [
    [2, "sandbox-music"],
    [3, "sandbox-speech"],
  ] as const) {
    await page.getByRole("button", { name: "Add pane" }).click();
    await chooseModel(pane(page, place), model);
  }
  await pane(page, 2).getByLabel("Seconds").fill("1");
  await sendMessage(page, "A short tune");
  await expect(pane(page, 1).getByRole("article")).toContainText("A short tune");
  await expect(pane(page, 2).getByLabel("Result")).toBeVisible(ended);
  const spoken = pane(page, 3).getByLabel("Spoken text");
  await expect.poll(() => spoken.evaluate((audio: HTMLAudioElement) => audio.duration > 0), ended).toBe(true);
  await pane(page, 3).getByRole("button", { name: "Details" }).click();
  await expect(pane(page, 3).locator("footer")).toContainText("12 characters × 0.00001 × model rate", ended);
  await expectNoAxeViolations(page);
  await page.reload();
  await expect.poll(() => spoken.evaluate((audio: HTMLAudioElement) => audio.duration > 0)).toBe(true);
});

test("a recording is written down, once there is one", async ({ page }) => {
  const only = await open(page, "sandbox-transcribe");
  await sendMessage(page, "hello");
  await expect(page.getByRole("alert").filter({ hasText: "Attach the recording" })).toBeVisible();
  await messageBox(page).fill("");
  await page
    .getByLabel("Files")
    .and(page.locator("input"))
    .setInputFiles({ name: "talk.wav", mimeType: "audio/wav", buffer: silence(2) });
  await expect(page.getByText("≈ 2 s of recording")).toBeVisible();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(receiptCosts(page)).toBeVisible(ended);
  await openDetails(page);
  await expect(only.locator("footer")).toContainText("minute");
  await expect(only.locator("footer")).toContainText("model rate");
  await expectNoAxeViolations(page);
});

test("a text becomes a vector, and is sorted into categories of harm", async ({ page }) => {
  await open(page, "sandbox-embedding");
  await page.getByRole("button", { name: "Add pane" }).click();
  await chooseModel(pane(page, 2), "sandbox-moderation");
  await pane(page, 1).getByLabel("Dimensions").fill("8");
  await sendMessage(page, "I want to hurt them");
  await expect(pane(page, 1).getByRole("article")).toContainText("8 dimensions");
  await expect(pane(page, 2).getByRole("table", { name: /Categories of harm/ })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(pane(page, 2).getByRole("table", { name: /Categories of harm/ })).toBeVisible();
});

test("a refused picture says which limit refused it; a failed one says why, and counts in no limit of pictures", async ({
  page,
  gatehouse,
}) => {
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-image", { max_images_per_1_minute: 1 });
  const only = await open(page, "sandbox-image");
  await further(only, { sandbox: { outcome: "failed" } });
  await sendMessage(page, "a lighthouse");
  await expect(only.getByText("The answer broke off")).toBeVisible(ended);
  await expect(only.getByRole("article")).toContainText("Nothing was charged");
  await only.getByText(/^Options/).click();
  await only.getByLabel("Further parameters").clear();
  await sendMessage(page, "another");
  await expect(only.getByRole("img", { name: "Result" })).toBeVisible(ended);
  await sendMessage(page, "one too many");
  await expect(only.getByText("max_images_per_1_minute")).toBeVisible();
  await expectNoAxeViolations(page);
});

/** A WAV file of silence. */
function silence(seconds: number): Buffer {
  const rate = 8_000;
  const data = Buffer.alloc(seconds * rate * 2);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
