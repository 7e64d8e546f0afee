import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { paintPng } from "../../support/clients/paint-png";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "hostile pictures" });

const drawing = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" onload="top.hasRun = 1"><script>top.hasRun = 1</script></svg>`,
);
const draw = (side: number) => paintPng({ width: side, height: side }, [20, 90, 160]);
/** What the provider answers, by prompt. */
const pictures: Readonly<Record<string, () => Buffer>> = { drawing: () => drawing, giant: () => draw(7_200) };

let provider: Server;

test.beforeAll(async ({ gatehouse }) => {
  provider = createServer((request, reply) => {
    let text = "";
    request.on("data", (piece) => (text += piece));
    request.on("end", () => {
      const { prompt } = JSON.parse(text) as { prompt: string };
      const picture = pictures[prompt]?.() ?? draw(8);
      reply.writeHead(200, { "content-type": "application/json" });
      reply.end(JSON.stringify({ created: 1, data: [{ b64_json: picture.toString("base64") }] }));
    });
  }).listen(0, "127.0.0.1");
  await once(provider, "listening");
  const api = adminApi(gatehouse);
  await api.createProvider("painter", `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`);
  await api.createModel({
    id: "painter",
    family: "image",
    rate: "1",
    unit_price: { unit: "image", amount: "0.04" },
    routes: [{ provider: "painter", model: "painter" }],
  });
});
test.afterAll(() => provider.close());
test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

async function make(page: Page, prompt: string): Promise<Locator> {
  await page.goto("/playground?model=painter");
  await page.getByRole("textbox", { name: "Message", exact: true }).fill(prompt);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  return page.getByRole("article").last();
}

const made = { timeout: 30_000 };

test("a drawing with a script is refused as no picture, and its script doesn't run", async ({ page }) => {
  const answer = await make(page, "drawing");
  await expect(answer).toContainText("no PNG, JPEG, WebP, GIF or AVIF", made);
  await expect(answer).toContainText("Nothing was charged");
  await expect(answer.getByRole("img", { name: "Result" })).toHaveCount(0);
  expect(await page.evaluate(() => "hasRun" in window)).toBe(false);
});

test("a giant picture is drawn only on demand, in the playground and with its task", async ({ page }) => {
  const answer = await make(page, "giant");
  await expect(answer).toContainText("This picture has 7,200 × 7,200 pixels.", made);
  await expect(answer.getByRole("img", { name: "Result" })).toHaveCount(0);
  await expect(answer.getByRole("link", { name: "Download result" })).toBeVisible();
  await expectNoAxeViolations(page);
  await answer.getByRole("link", { name: "Task", exact: true }).click();
  await expect(page.getByText("This picture has 7,200 × 7,200 pixels.")).toBeVisible();
  await page.getByRole("button", { name: "Show it anyway" }).click();
  await expect(page.getByRole("img", { name: "Result" })).toBeVisible(made);
});

test("an ordinary picture is drawn at once", async ({ page }) => {
  const answer = await make(page, "small");
  await expect(answer.getByRole("img", { name: "Result" })).toBeVisible(made);
});
