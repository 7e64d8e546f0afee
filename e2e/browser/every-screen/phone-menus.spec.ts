import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

// What opens over a screen covers most of a phone: each is checked there, in both themes.
test.use({ scene: "phone-menus", viewport: PHONE, hasTouch: true });
test.describe.configure({ timeout: 120_000 });

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

type Opening = { path: string; button?: string | RegExp; row?: RegExp; shows: "menu" | "dialog" };

const openings: Readonly<Record<string, Opening>> = {
  navigation: { path: "/", button: "Open navigation", shows: "dialog" },
  palette: { path: "/", button: "Search or jump to…", shows: "dialog" },
  theme: { path: "/", button: "Theme", shows: "menu" },
  person: { path: "/", button: /^Signed in as/, shows: "menu" },
  export: { path: "/requests", button: "Export", shows: "menu" },
  columns: { path: "/requests", button: "Columns", shows: "menu" },
  key: { path: "/keys", button: /^More for key/, shows: "menu" },
  "deleting a key": { path: "/keys", button: /^Delete key/, shows: "dialog" },
  "finding a key": { path: "/keys", button: "Find a key", shows: "dialog" },
  pane: { path: "/playground", button: "More for this pane", shows: "menu" },
  conversations: { path: "/playground", button: /^Conversations$/, shows: "dialog" },
  code: { path: "/playground", button: /^Code$/, shows: "dialog" },
  "ledger entry": { path: "/balance", row: /^Payment/, shows: "dialog" },
  "audit event": { path: "/audit-logs", row: /:\d\d/, shows: "dialog" },
  request: { path: "/requests", row: /:\d\d/, shows: "dialog" },
};

/** Makes a call with a new key of the project. */
async function makeCall(gatehouse: Gatehouse): Promise<void> {
  const { value } = await adminApi(gatehouse).createKey(projectId, "production");
  await callModel(gatehouse, value, "sandbox-echo");
}

for (const [name, { path, button, row, shows }] of Object.entries(openings)) {
  test(`${name}: what opens over the screen is accessible`, async ({ page, gatehouse }) => {
    if (path === "/keys" || path === "/requests") await makeCall(gatehouse);
    await page.goto(path);
    const opener = row
      ? page.getByRole("main").getByRole("table").getByRole("link", { name: row })
      : page.getByRole("button", { name: button });
    await opener.first().click();
    await expect(page.getByRole(shows).first()).toBeVisible();
    await expectAccessibleOnPhone(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole(shows)).toHaveCount(0);
  });
}

test("the settings of the playground and the filters of the calls are accessible", async ({ page }) => {
  for (const [path, button] of [
    ["/playground", "Settings"],
    ["/requests", "Filters"],
  ] as const) {
    await page.goto(path);
    const opener = page.getByRole("button", { name: button, exact: true });
    await opener.click();
    await expect(opener).toHaveAttribute("aria-expanded", "true");
    await expectAccessibleOnPhone(page);
  }
});
