import type { Page } from "@playwright/test";
import { expectNoAxeViolations } from "./support/expect-no-axe-violations";
import { type FailingGateway, startFailingGateway } from "./support/failing-gateway";
import { signIn } from "./support/sign-in";
import { test as base, expect } from "./support/test";

/** A page of a console whose gateway can be told to fail. */
const test = base.extend<{ failing: FailingGateway; shown: Page }>({
  failing: async ({ elsewhere, gatehouse }, use) => {
    const failing = await startFailingGateway(elsewhere.gatewayPort, gatehouse);
    await use(failing);
    await failing.stop();
  },
  shown: async ({ browser, elsewhere, gatehouse, failing: _failing }, use) => {
    const context = await browser.newContext({ baseURL: elsewhere.consoleUrl });
    const page = await context.newPage();
    const { consoleUrl, dataFolder } = elsewhere;
    await signIn(page, { ...gatehouse, consoleUrl, dataFolder });
    await use(page);
    await context.close();
  },
});

const PROJECTS = /\/organization\/projects\?/;
const screens = [
  { path: "/keys", wanted: "list the keys" },
  { path: "/tasks", wanted: "list the tasks" },
  { path: "/rate-limits", wanted: "list the rate limits" },
];

for (const { path, wanted } of screens) {
  test(`${path}: projects that could not be listed are not taken for none`, async ({ shown, failing }) => {
    failing.fail(PROJECTS);
    await shown.goto(path);
    await expect(shown.getByRole("heading", { name: `Could not ${wanted}` })).toBeVisible();
    await expect(shown.getByText("No projects yet")).toHaveCount(0);
    await expectNoAxeViolations(shown);
    failing.fail(null);
    await shown.getByRole("button", { name: "Try again" }).click();
    await expect(shown.getByRole("button", { name: /Switch project/ })).toBeVisible();
    await expect(shown.getByText(`Could not ${wanted}`)).toHaveCount(0);
  });
}

test("a list of calls that can't be read anew doesn't say that it is live", async ({ shown, failing }) => {
  await shown.goto("/requests");
  await expect(shown.getByText("Live", { exact: true })).toBeVisible();
  failing.fail(/\/organization\/requests/);
  await expect(shown.getByText("Not live: the last read failed")).toBeVisible({ timeout: 15_000 });
  await expectNoAxeViolations(shown);
  failing.fail(null);
  await expect(shown.getByText("Live", { exact: true })).toBeVisible({ timeout: 15_000 });
});

test("a spend limit that could not be read is not shown as none, nor the pace as unknown", async ({
  shown,
  failing,
}) => {
  failing.fail(/\/organization\/(spend_limit|balance)/);
  await shown.goto("/balance");
  await expect(shown.getByRole("heading", { name: "Could not load the spend limit" })).toBeVisible();
  await expect(shown.getByText("Set a limit for a month")).toHaveCount(0);
  await expect(shown.getByText("Not known yet")).toHaveCount(0);
  failing.fail(/\/organization\/usage_summary/);
  await shown.reload();
  await expect(
    shown.getByRole("heading", { name: "Could not load this month’s spend" }).first(),
  ).toBeVisible();
});
