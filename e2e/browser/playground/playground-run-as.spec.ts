import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { chooseModel } from "../../support/pages/choose-model";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { messageBox, sendMessage } from "../../support/pages/message-box";
import { openAsMember } from "../../support/pages/open-as-member";
import { receiptCosts } from "../../support/pages/receipts";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "playground run as" });

let projectId: string;
let keyId: string;

test.beforeEach(async ({ context, gatehouse }, { title }) => {
  const api = adminApi(gatehouse);
  projectId = (await api.createProject(title.slice(0, 100))).id;
  const draft = { name: "narrow", models: ["sandbox-echo"] };
  keyId = (await api.call<{ id: string }>("POST", `/projects/${projectId}/api_keys`, draft)).id;
  await selectProject(context, gatehouse, projectId);
});

const runAs = (page: Page) => page.getByLabel("Run as", { exact: true });
const answer = (page: Page) => page.getByRole("article").last();

test("a call runs as a key: by its models, after a reload too, and receipt and audit log name who ran it", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/playground?model=sandbox-chat");
  await runAs(page).selectOption("narrow");
  await expect(page.getByText("By this key’s models, endpoints, limits and project.")).toBeVisible();
  await sendMessage(page, "not for this key");
  await expect(answer(page)).toContainText("The key may not make this call");
  await expect(messageBox(page)).toHaveValue("not for this key");
  await expectNoAxeViolations(page);

  await chooseModel(page, "sandbox-echo");
  await sendMessage(page, "for this key");
  await expect(answer(page)).toContainText("for this key");
  await expect(receiptCosts(page)).toBeVisible();
  await page.reload();
  await expect(runAs(page).locator("option:checked")).toHaveText("narrow");
  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  await expect(page).toHaveURL(/\/requests\/req_/);
  await expect(page.getByRole("main")).toContainText("narrow");
  const log = await adminApi(gatehouse).call<{ data: { type: string }[] }>("GET", "/audit_logs?limit=20");
  expect(log.data.map(({ type }) => type)).toContain("api_key.run_as");
});

test("a role is previewed and sends nothing", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/playground?model=sandbox-echo");
  await runAs(page).selectOption("Reader · dry run");
  await expect(page.getByText("Nothing is sent as a role.")).toBeVisible();
  await messageBox(page).fill("may a reader?");
  await expect(page.getByText("would be refused")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Before sending" })).toContainText("It would be refused");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("article")).toHaveCount(0);
  await runAs(page).selectOption("Me");
  await expect(page.getByText("fits every limit")).toBeVisible();
});

test("somebody who may issue no keys is offered nobody else to run as", async ({
  page,
  context,
  gatehouse,
}) => {
  const email = `${keyId.replace("_", "-")}@example.com`;
  await openAsMember(context, gatehouse, { email, name: "Tess", role: "prompt_tester" });
  await page.goto("/playground?model=sandbox-echo");
  await expect(messageBox(page)).toBeVisible();
  await expect(runAs(page)).toHaveCount(0);
});
