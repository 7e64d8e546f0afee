import { adminApi } from "./support/admin-api";
import { signIn } from "./support/sign-in";
import { test } from "./support/test";
test.use({ scene: "shot" });
test("shot", async ({ page, gatehouse }) => {
  await adminApi(gatehouse).call("POST", "/models/sandbox-echo", { batch_rate: "0.25" });
  await signIn(page, gatehouse);
  await page.goto(`/calculator?model=sandbox-echo&mix=${encodeURIComponent("1,000\t1,000\t500\tsandbox-echo\t0\t1\t50\n1,000\t1,000\t500\tsandbox-chat\t0\t1\t0\n10\t1\t1\tsandbox-image\t0\t1\t0")}`);
  await page.getByText("% of the calls").scrollIntoViewIfNeeded();
  await page.waitForTimeout(500);
  await page.screenshot({ path: "/tmp/media/calc.png" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText("% of the calls").scrollIntoViewIfNeeded();
  await page.screenshot({ path: "/tmp/media/calc-phone.png" });
});
