import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test("the secret of a project’s callbacks is shown when asked for, and replaced after a question, with a day in which both sign", async ({
  page,
  context,
  gatehouse,
}) => {
  const { id: projectId } = await adminApi(gatehouse).createProject("Signed callbacks");
  await selectProject(context, gatehouse, projectId);
  await signIn(page, gatehouse);
  await page.goto("/tasks");
  await page.getByRole("button", { name: "Callback secret" }).click();
  const dialog = page.getByRole("dialog", { name: "Callback secret", exact: true });
  await expect(dialog).toContainText("Secret number 1");
  await expect(dialog.getByText(/whsec_[\w+/]{40,}/)).toHaveCount(0);
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Show secret" }).click();
  const secret = dialog.getByRole("region", { name: "Secret" }).getByText(/^whsec_.{40,}/);
  await expect(secret).toBeVisible();
  const first = await secret.innerText();
  await dialog.getByRole("tab", { name: "Python" }).click();
  await expect(dialog.getByText("def is_genuine")).toBeVisible();
  await dialog.getByRole("button", { name: "Replace secret" }).click();
  const question = page.getByRole("dialog", { name: "Replace the callback secret?" });
  await expectNoAxeViolations(page);
  await question.getByRole("button", { name: "Replace secret" }).click();
  await expect(dialog).toContainText("Two secrets sign");
  await expect(secret).not.toHaveText(first);
  await expectAccessibleOnPhone(page);
});
