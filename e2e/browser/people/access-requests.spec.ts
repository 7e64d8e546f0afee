import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { sendMessage } from "../../support/pages/message-box";
import { openAsMember } from "../../support/pages/open-as-member";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

// Whoever is refused asks for more in one click, and whoever may give it answers in one.
test.use({ scene: "access-requests" });

test("a refused tester asks for a higher limit, and an admin allows it for a week, with one click each", async ({
  page,
  context,
  browser,
  gatehouse,
}, { title }) => {
  const projectId = await createSelectedProject(context, gatehouse, title.slice(0, 60));
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-echo", { max_requests_per_1_minute: 0 });
  const testers = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  const ben = { email: "ben@example.com", name: "Ben Tester", role: "prompt_tester" };
  await openAsMember(testers, gatehouse, ben);
  const tester = await testers.newPage();
  await tester.goto(`/projects/${projectId}/playground?model=sandbox-echo`);
  await sendMessage(tester, "Hello");
  const refused = tester.getByRole("article").last();
  await refused.getByRole("button", { name: "Ask for 1 request per minute" }).click();
  await expect(
    refused.getByText("It is waiting for someone who can set this project’s limits"),
  ).toBeVisible();
  await expectNoAxeViolations(tester);

  await signIn(page, gatehouse);
  await page.goto("/");
  const card = page.getByRole("listitem").filter({ hasText: "Ben Tester asks for more of sandbox-echo" });
  await expect(card).toContainText("Requests per minute 0 → 1");
  await expect(card).toContainText("Lets up to 1 more request a minute through");
  await expectNoAxeViolations(page);
  await card.getByRole("button", { name: "Allow for a week" }).click();
  await expect(page.getByText(/Ben Tester has it now, for a week/).first()).toBeVisible();
  await expect(card).toHaveCount(0);
  const path = `/projects/${projectId}/rate_limits/rl_sandbox-echo`;
  expect(await adminApi(gatehouse).call("GET", path)).toMatchObject({ max_requests_per_1_minute: 1 });
  await expect(refused.getByText(/Allowed by .*, until /)).toBeVisible({ timeout: 15_000 });
  await refused.getByRole("button", { name: "Try again now" }).click();
  await expect(tester.getByRole("article").last()).toContainText("Hello");
});

test("a refused screen and a refused receipt offer to ask whoever may give it, who declines in one click", async ({
  page,
  browser,
  gatehouse,
}) => {
  const readers = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  const rosa = { email: "rosa@example.com", name: "Rosa Reader", role: "prompt_tester" };
  await openAsMember(readers, gatehouse, rosa);
  const reader = await readers.newPage();
  await reader.goto("/balance");
  await reader.getByRole("button", { name: "Ask for access" }).click();
  await expect(reader.getByRole("status").first()).toContainText(
    "It is waiting for someone who can assign roles here",
  );
  await reader.setViewportSize({ width: 390, height: 844 });
  await expectNoAxeViolations(reader);
  await reader.reload();
  await reader.getByRole("button", { name: "Ask for access" }).click();
  await expect(reader.getByRole("status").first()).toContainText("You have asked for this already");

  await signIn(page, gatehouse);
  await page.goto("/");
  const card = page
    .getByRole("listitem")
    .filter({ hasText: "Rosa Reader asks for access in the organization" });
  await expect(card).toContainText("See the balance");
  await expect(card).toContainText("Assigns the role");
  await card.getByRole("button", { name: "Decline" }).click();
  await expect(card).toHaveCount(0);
});
