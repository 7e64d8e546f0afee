import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "health" });

test("shows last failures, model health and provider connections in one place", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Health");
  const { value } = await api.createKey(project.id, "nightly-eval");
  await api.createProvider("gone", "http://127.0.0.1:9/v1");
  await api.createModel({
    id: "lost",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    routes: [{ provider: "gone", model: "lost-1" }],
  });
  for (const model of ["lost", "sandbox-echo", "sandbox-500"]) {
    await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
      key: value,
      body: { model, messages: [{ role: "user", content: "one two three" }] },
    });
  }
  await signIn(page, gatehouse);
  await page.goto("/health");
  const providers = page.getByRole("table", { name: "Health of providers" });
  const gone = providers.getByRole("row").filter({ hasText: "gone" });
  await expect(gone).toContainText("refused the connection");
  await gone.getByRole("button", { name: "Test connection to gone" }).click();
  await expect(gone).toContainText("Not reached in");
  const sandbox = providers.getByRole("row").filter({ hasText: "sandbox" });
  await sandbox.getByRole("button", { name: "Test connection to sandbox" }).click();
  await expect(sandbox).toContainText("Reached in");
  const models = page.getByRole("table", { name: "Health of models" });
  await expect(models.getByRole("row").filter({ hasText: "sandbox-500" })).toContainText("1 · 100.0 %", {
    timeout: 30_000,
  });
  await expect(models.getByRole("row").filter({ hasText: "sandbox-echo" })).toContainText("none");
  const uncalled = models.getByRole("row").filter({ hasText: "sandbox-slow" });
  await expect(uncalled).toContainText("no calls yet");
  await expect(uncalled).not.toContainText("not known");
  await expect(uncalled.getByRole("link", { name: /Try it in the playground/ })).toHaveAttribute(
    "href",
    "/playground?model=sandbox-slow",
  );
  await expectAccessible(page);
});

test("an open circuit is seen with its cause, in the playground too, and is closed by hand", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Circuits");
  const { value } = await api.createKey(project.id, "nightly-eval");
  await api.createProvider("away", "http://127.0.0.1:9/v1");
  await api.createModel({
    id: "unreachable",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    routes: [{ provider: "away", model: "away-1" }],
  });
  await api.createModel({
    id: "with-spare",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    routes: [
      { provider: "away", model: "away-1" },
      { provider: "sandbox", model: "sandbox-echo" },
    ],
  });
  for (let calls = 0; calls < 10; calls++) {
    await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
      key: value,
      body: { model: "unreachable", messages: [{ role: "user", content: "one" }] },
    });
  }
  await signIn(page, gatehouse);
  // First, since the circuit lets a trial through after 15 s.
  await page.goto("/playground?model=unreachable");
  await page.getByRole("textbox", { name: "Message" }).fill("one");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The circuit breaker refused the call")).toBeVisible();
  await expect(page.getByText(/has failed 10 calls in a row/)).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "View provider health" }).click();

  const circuits = page.getByRole("table", { name: "Open circuits" });
  const away = circuits.getByRole("row").filter({ hasText: "away-1" });
  await expect(away).toContainText("10 failures in a row");
  await expect(away).toContainText("unreachable refused");
  await expect(away).toContainText("with-spare sent to sandbox");
  await expect(away).toContainText("refused the connection");
  await expectAccessible(page);
  await page.goto("/routes");
  const routes = page.getByRole("table", { name: "Routes of the organization’s models" });
  await expect(routes.getByRole("row").filter({ hasText: "with-spare" })).toContainText("away skipped");
  await expect(routes.getByRole("row").filter({ hasText: "unreachable" })).toContainText("calls are refused");
  await expectAccessible(page);
  await page.goto("/health");
  await away.getByRole("button", { name: "Close the circuit of away-1 at away now" }).click();
  const notifications = page.getByRole("region", { name: "Notifications" });
  await expect(notifications).toContainText("Circuit of away-1 at away closed");
  await expect(circuits).toHaveCount(0);
});

test("hides the test button from members who may only read providers", async ({
  page,
  context,
  gatehouse,
}) => {
  await openAsMember(context, gatehouse, { email: "rea@example.com", name: "Rea", role: "reader" });
  await page.goto("/health");
  await expect(page.getByRole("table", { name: "Health of models" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Test connection/ })).toHaveCount(0);
});
