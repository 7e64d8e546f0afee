import { adminApi } from "./support/admin-api";
import { signIn } from "./support/sign-in";
import { test } from "./support/test";

test.use({ scene: "look" });
test("look", async ({ page, gatehouse }) => {
  test.slow();
  const { call } = adminApi(gatehouse);
  const p = await call<{ id: string }>("POST", "/payments", { amount: "1234.50", reference: "Invoice 12" });
  await call("POST", `/ledger/${p.id}/corrections`, {
    amount: "34.50",
    reason: "Recorded 34.50 too much: the bank’s fee",
  });
  await signIn(page, gatehouse);
  for (const scheme of ["light", "dark"] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      for (const [name, path] of [
        ["entry", `/balance/${p.id}`],
        ["balance", "/balance"],
        ["statement", `/statements/${new Date().toISOString().slice(0, 7)}`],
      ] as const) {
        if (scheme === "dark" && name !== "entry" && width === 1440) continue;
        await page.goto(path);
        await page.locator("main table").first().waitFor();
        await page.waitForTimeout(700);
        await page.screenshot({ path: `/tmp/finance/${name}-${scheme}-${width}.png`, fullPage: true });
      }
      await page.goto(`/balance/${p.id}`);
      await page.getByRole("button", { name: "Correct this entry" }).click();
      await page.getByLabel("Amount").fill("200");
      await page.getByLabel("Reason").fill("Recorded twice");
      await page.waitForTimeout(500);
      await page.screenshot({ path: `/tmp/finance/dialog-${scheme}-${width}.png` });
    }
});
