import { adminApi } from "./support/admin-api";
import { signIn } from "./support/sign-in";
import { test } from "./support/test";

test.use({ scene: "look" });
test("look", async ({ page, gatehouse }) => {
  test.setTimeout(180_000);
  await signIn(page, gatehouse);
  const api = adminApi(gatehouse);
  const { data } = await api.call<{ data: { id: string }[] }>("GET", "/projects");
  await api.saveRateLimit(data[0]?.id ?? "", "sandbox-slow", { max_requests_per_1_minute: 1 });
  await page.goto("/playground?model=sandbox-chat");
  await page.keyboard.press("Alt+KeyP");
  await page.keyboard.press("Alt+KeyP");
  const models = page.getByLabel("Model", { exact: true });
  await models.nth(1).selectOption("sandbox-echo");
  await models.nth(2).selectOption("sandbox-slow");
  const box = page.getByRole("textbox", { name: "Message", exact: true });
  const shot = async (name: string) => {
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
        await page.waitForTimeout(400);
        await page.screenshot({ path: `/tmp/tester/look-${name}-${scheme}-${width}.png` });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  };
  await shot("empty");
  await box.fill("Explain what a rate limit is to a new colleague.");
  await page.keyboard.press("Enter");
  await page.getByText("Tokens out").nth(2).waitFor();
  await box.fill("And what should a program do when it is refused?");
  await page.keyboard.press("Enter");
  await page.getByText("Refused").first().waitFor();
  await page.waitForTimeout(1500);
  await box.fill("Third");
  await page.waitForTimeout(1200);
  await shot("chat");
  await page.getByRole("button", { name: "Code", exact: true }).click();
  await page.waitForTimeout(500);
  await shot("code");
  await page.keyboard.press("Escape");
  await page.goto("/playground?model=sandbox-image");
  await page.waitForTimeout(800);
  await shot("media");
});
