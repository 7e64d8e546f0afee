import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { type CallbackReceiver, startCallbackReceiver } from "../../support/servers/callback-receiver";

test.use({ scene: "tasks", environment: { GATEHOUSE_CALLBACK_HOSTS: "127.0.0.1" } });

let receiver: CallbackReceiver;
test.beforeEach(async () => {
  receiver = await startCallbackReceiver();
});
test.afterEach(() => receiver.close());

test("a test callback shows how its receiver answers, and keeps an address that is refused", async ({
  page,
  context,
  gatehouse,
}) => {
  const { id: projectId } = await adminApi(gatehouse).createProject("Tested callbacks");
  await selectProject(context, gatehouse, projectId);
  await signIn(page, gatehouse);
  receiver.answerWith(204, 503);
  await page.goto("/tasks");
  await page.getByRole("button", { name: "Callback secret" }).click();
  const part = page.getByRole("region", { name: "Test a receiver" });
  const [address, send] = [part.getByLabel("Address"), part.getByRole("button", { name: "Send test" })];
  await address.fill("http://10.0.0.1/hook");
  await send.click();
  await expect(part.getByText(/callback_url is not https|GATEHOUSE_CALLBACK_HOSTS/).first()).toBeVisible();
  await expect(address).toHaveValue("http://10.0.0.1/hook");
  await address.fill(receiver.url);
  await send.click();
  await expect(part.getByRole("status").first()).toContainText("Delivered, 204");
  await expect(part.getByText("callback.test", { exact: false }).last()).toContainText(projectId);
  await expectNoAxeViolations(page);
  await send.click();
  await expect(part.getByRole("status").first()).toContainText("Not delivered, 503");
  await expect(part).toContainText("The receiver answered 503");
  await expectAccessibleOnPhone(page);
});
