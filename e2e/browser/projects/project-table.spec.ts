import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "project-table" });

const limit = (threshold_amount: number) => ({ currency: "USD", interval: "month", threshold_amount });

test("projects are sorted and searched by the gateway, and those selected get a limit or are archived", async ({
  page,
  gatehouse,
}) => {
  const { call, createProject } = adminApi(gatehouse);
  for (const [name, cents] of [
    ["Alpha", 90_000],
    ["Beta", 5_000],
    ["Gamma", null],
  ] as const) {
    const { id } = await createProject(name);
    if (cents !== null) await call("POST", `/projects/${id}/spend_limit`, limit(cents));
  }
  await signIn(page, gatehouse);
  await page.goto("/projects");
  const table = page.getByRole("table", { name: "Projects of the organization" });
  const names = table.getByRole("row").getByRole("link");
  await expectNoAxeViolations(page);
  await table.getByRole("button", { name: /^Spend limit/ }).click();
  await expect(names).toHaveText([/Alpha/, /Beta/, /Default project/, /Gamma/]);
  await expect(page).toHaveURL(/sort=-limit_amount/);
  await table.getByRole("button", { name: /^Spend limit/ }).click();
  await expect(names).toHaveText([/Beta/, /Alpha/, /Default project/, /Gamma/]);
  await page.reload();
  await expect(names).toHaveText([/Beta/, /Alpha/, /Default project/, /Gamma/]);

  await page.getByLabel("Select Beta").check();
  await page.getByLabel("Select Gamma").check();
  const bar = page.getByRole("toolbar", { name: "Actions for selected projects" });
  await expect(bar).toContainText("2 projects selected");
  await expectNoAxeViolations(page);
  await bar.getByRole("button", { name: "Set spend limit" }).click();
  await page.getByLabel("Limit for a month, for each").fill("1,200");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Save 2 limits" }).click();
  await expect(page.getByText("2 projects limited")).toBeVisible();
  await expect(table.getByRole("row", { name: /Gamma/ })).toContainText("1,200.00");
  await expect(bar).toBeHidden();

  await page.getByLabel("Search projects").fill("gam");
  await expect(names).toHaveText([/Gamma/]);
  await page.getByLabel("Select all shown rows").check();
  await bar.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("Gamma");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No project has “gam” in its name or id.")).toBeVisible();
  await expectAccessibleOnPhone(page);
});

test("spend limits are one table of all projects, from which each opens, and former addresses lead on", async ({
  page,
  context,
  gatehouse,
}) => {
  const { call, createProject } = adminApi(gatehouse);
  const { id } = await createProject("Delta");
  await call("POST", `/projects/${id}/spend_limit`, limit(0));
  await openAsMember(context, gatehouse, { email: "fin@example.com", name: "Fin", role: "finance" });
  await page.goto("/spend-limits");
  const table = page.getByRole("table", { name: "Projects of the organization" });
  await expect(table.getByRole("row").nth(1)).toContainText("Delta");
  await expect(table.getByRole("row", { name: /Delta/ })).toContainText("Used up");
  await table.getByRole("link", { name: "Delta" }).click();
  await expect(page).toHaveURL(new RegExp(`/projects/${id}/spend$`));
  await expect(page.getByText("0.00 USD").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Project: Delta/ })).toBeVisible();
  await expectAccessibleOnPhone(page);

  await signIn(page, gatehouse);
  for (const [tab, screen] of [
    ["spend", "spend"],
    ["keys", "keys"],
    ["roles", "roles"],
  ]) {
    await page.goto(`/projects/${id}?tab=${tab}`);
    await expect(page).toHaveURL(new RegExp(`/projects/${id}/${screen}$`));
  }
  await page.getByRole("button", { name: /^Project: Delta/ }).click();
  await page.getByRole("menuitemradio", { name: "All projects" }).click();
  await expect(page).toHaveURL(/\/roles$/);
});

test("of 501 projects each is reached: by loading more, and by searching", async ({ page, gatehouse }) => {
  const { call } = adminApi(gatehouse);
  for (let made = 1; made <= 501; made++) await call("POST", "/projects", { name: `Many ${made}` });
  await signIn(page, gatehouse);
  await page.goto("/projects?sort=name&q=many");
  await expect(page.getByText("100 projects, more to load")).toBeVisible();
  for (let loaded = 100; loaded < 501; loaded += 100)
    await page.getByRole("button", { name: "Load more" }).click();
  await expect(page.getByText("501 projects")).toBeVisible();
  await page.getByLabel("Search projects").fill("many 501");
  await expect(page.getByRole("link", { name: "Many 501" })).toBeVisible();
});
