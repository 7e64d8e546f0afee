import type { Page } from "@playwright/test";
import { test as base, expect } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { goByPalette } from "../../support/pages/keyboard";
import { signIn } from "../../support/pages/sign-in";
import { type FailingGateway, startFailingGateway } from "../../support/servers/failing-gateway";

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

test("the calculator asks for no mix of calls until it knows those of the last week", async ({
  shown,
  failing,
}) => {
  const release = failing.hold(/\/usage_summary\?/);
  await shown.goto("/calculator");
  await expect(shown.getByRole("heading", { name: "What a day of work costs" })).toBeVisible();
  await expect(shown.getByLabel(/^Calls a day/)).toHaveCount(0);
  release();
  await expect(shown.getByLabel(/^Calls a day/)).toBeVisible();
});

test("a slow read ends with the page that began it, and the browser doesn't make it again", async ({
  shown,
  failing,
}) => {
  await shown.goto("/account");
  const made: URL[] = [];
  shown.on("request", (request) => made.push(new URL(request.url())));
  const release = failing.hold(/\/usage_summary\?/);
  await goByPalette(shown, "calculator");
  await expect(shown.getByRole("heading", { name: "What a day of work costs" })).toBeVisible();
  await expect(shown.getByLabel(/^Calls a day/)).toHaveCount(0);
  release();
  await expect(shown.getByLabel(/^Calls a day/)).toBeVisible();
  // What last month would have cost elsewhere is read by the browser, and only that.
  const usage = made.filter(({ pathname }) => pathname === "/api/usage");
  expect(usage.filter(({ searchParams }) => searchParams.get("previous") !== "false")).toEqual([]);
});

test("a list of calls that can't be read anew doesn't say that it is live", async ({ shown, failing }) => {
  await shown.goto("/requests");
  await expect(shown.getByText("Live", { exact: true })).toBeVisible();
  failing.fail(/\/organization\/requests/);
  await expect(shown.getByText("Not live: the last read failed")).toBeVisible({ timeout: 15_000 });
  await expectNoAxeViolations(shown);
  failing.fail(null);
  await expect(shown.getByText("Live", { exact: true })).toBeVisible({ timeout: 15_000 });
});

const concerns = [
  {
    failed: /\/organization\/health/,
    unread: "the health of models and providers",
    read: "Nothing: no limit was nearly used up in the last 24 hours.",
  },
  {
    failed: /\/limits\/near/,
    unread: "the usage of rate limits",
    read: "Nothing: no model failed often in the last 24 hours.",
  },
];

for (const { failed, unread, read } of concerns) {
  test(`the overview says if it couldn't load ${unread}, beside what it did load`, async ({
    shown,
    failing,
  }) => {
    failing.fail(failed);
    await shown.goto("/");
    const attention = shown.getByRole("region", { name: "Needs attention" });
    await expect(attention.getByRole("heading", { name: `Could not load ${unread}` })).toBeVisible();
    await expect(attention.getByText(read)).toBeVisible();
    await expectNoAxeViolations(shown);
    failing.fail(null);
    await attention.getByRole("button", { name: "Try again" }).click();
    await expect(attention.getByText(`Could not load ${unread}`)).toHaveCount(0);
    await expect(attention).toContainText("no limit was nearly used up and no model failed often");
  });
}

test("a page whose gateway is lost says once how old it is", async ({ shown, failing }) => {
  await shown.goto("/");
  const spent = shown.getByRole("link", { name: "Spent this month (UTC)" });
  await expect(spent).toBeVisible();
  await failing.stop();
  await expect(shown.getByText("Last refreshed")).toBeVisible({ timeout: 30_000 });
  await expect(shown.getByText("No gateway answers at")).toHaveCount(1);
  await expect(spent).toBeVisible();
  await expectNoAxeViolations(shown);
});

test("a page opened while no gateway answers says so once, and is loaded at once when one does", async ({
  shown,
  failing,
  elsewhere,
  gatehouse,
}) => {
  await failing.stop();
  await shown.goto("/balance");
  await expect(shown.getByText("This page could not be loaded.")).toBeVisible();
  await expect(shown.getByText("No gateway answers at")).toHaveCount(1);
  await expect(shown.getByRole("button", { name: "Try again" })).toHaveCount(1);
  await expect(shown.getByText("Not loaded").first()).toBeVisible();
  await expectNoAxeViolations(shown);
  const again = await startFailingGateway(elsewhere.gatewayPort, gatehouse);
  await shown.getByRole("button", { name: "Try again" }).click();
  await expect(shown.getByText("Available", { exact: true }).first()).toBeVisible();
  await expect(shown.getByText("Not loaded")).toHaveCount(0);
  await expect(shown.getByText("could not be loaded")).toHaveCount(0);
  await again.stop();
});

for (const path of ["/", "/balance"]) {
  test(`${path}: a gateway that can serve nobody says so once, and is loaded at once when it can`, async ({
    shown,
    failing,
  }) => {
    failing.fail(/./);
    await shown.goto(path);
    await expect(shown.getByText("This page could not be loaded.")).toBeVisible();
    await expect(shown.getByText("The store can’t be reached.")).toHaveCount(1);
    await expect(shown.getByRole("button", { name: "Try again" })).toHaveCount(1);
    await expect(shown.getByRole("heading", { name: /^Could not/ })).toHaveCount(0);
    await expectNoAxeViolations(shown);
    failing.fail(null);
    await shown.getByRole("button", { name: "Try again" }).click();
    await expect(shown.getByText("Not loaded")).toHaveCount(0);
    await expect(shown.getByText("could not be loaded")).toHaveCount(0);
  });
}

test("a gateway that can serve nobody any more says once how old the page is", async ({ shown, failing }) => {
  await shown.goto("/");
  const spent = shown.getByRole("link", { name: "Spent this month (UTC)" });
  await expect(spent).toBeVisible();
  failing.fail(/./);
  await expect(shown.getByText("Last refreshed")).toBeVisible({ timeout: 30_000 });
  await expect(shown.getByText("The store can’t be reached.")).toHaveCount(1);
  await expect(spent).toBeVisible();
});

test("a spend limit that could not be read is not shown as none, nor the pace as unknown", async ({
  shown,
  failing,
}) => {
  failing.fail(/\/organization\/(spend_limit|balance)/);
  await shown.goto("/balance");
  await expect(shown.getByRole("heading", { name: "Could not load the spend limit" })).toBeVisible();
  await expect(shown.getByText("Set a monthly limit")).toHaveCount(0);
  await expect(shown.getByText("Not known yet")).toHaveCount(0);
  failing.fail(/\/organization\/usage_summary/);
  await shown.reload();
  await expect(
    shown.getByRole("heading", { name: "Could not load this month’s spend" }).first(),
  ).toBeVisible();
});
