import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { signIn } from "../../support/pages/sign-in";

const MINUTE_MS = 60_000;

for (const [name, minutes] of [
  ["behind", -10],
  ["ahead", 10],
] as const) {
  test(`in a browser whose clock is ten minutes ${name}, times are as old as they are`, async ({
    page,
    gatehouse,
  }) => {
    await adminApi(gatehouse).call("POST", "/groups", { name: `Clock ${name}` });
    await signIn(page, gatehouse);
    await page.clock.install({ time: Date.now() + minutes * MINUTE_MS });
    await page.goto("/groups");
    const row = page.getByRole("row", { name: new RegExp(`Clock ${name}`) });
    await expect(row.getByText("just now")).toBeVisible();
  });
}
