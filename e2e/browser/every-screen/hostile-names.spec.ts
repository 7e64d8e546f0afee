import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

// A scene of its own, so that no other spec meets these names.
test.use({ scene: "hostile-names" });

const NAMES = ["W".repeat(100), "<img src=x onerror=alert(1)>", "👩‍👩‍👧‍👦 עולם =cmd|calc"];
const [LONG = ""] = NAMES;
const lists = ["/groups", "/roles", "/projects", "/keys", "/admin-keys"];

test.beforeAll(async ({ gatehouse }) => {
  const { call } = adminApi(gatehouse);
  const { data } = await call<{ data: { id: string }[] }>("GET", "/projects");
  for (const name of NAMES) {
    await call("POST", "/groups", { name });
    await call("POST", "/roles", { role_name: name, permissions: ["api.models.read"] });
    await call("POST", "/projects", { name });
    await call("POST", `/projects/${data[0]?.id}/api_keys`, { name });
    await call("POST", "/admin_api_keys", { name });
  }
});

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

for (const width of [1440, 1024, 390]) {
  test(`names of any kind are shown as text and widen no list, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const list of [...lists, "/audit-logs?range=all"]) {
      await page.goto(list);
      for (const name of NAMES) {
        await expect(page.getByRole("table").getByText(name).first()).toBeVisible();
      }
      await expectNoSidewaysScroll(page);
    }
    await expectNoAxeViolations(page);
  });
}

test("a search for a long text that finds nothing widens no list", async ({ page }) => {
  await page.setViewportSize(PHONE);
  for (const list of lists) {
    await page.goto(`${list}?q=${LONG.repeat(5)}`);
    await expect(page.getByText(LONG.repeat(5)).first()).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
});
