import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "tasks", environment: { GATEHOUSE_CALLBACK_HOSTS: "127.0.0.1" } });

let receiver: Server;
let answers: number[];
let url: string;
test.beforeEach(async () => {
  answers = [];
  receiver = createServer((_, reply) => reply.writeHead(answers.shift() ?? 204).end()).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/done`;
});
test.afterEach(async () => {
  receiver.closeAllConnections();
  await once(receiver.close(), "close");
});

test("a test callback shows how its receiver answers, and keeps an address that is refused", async ({
  page,
  context,
  gatehouse,
}) => {
  const { id: projectId } = await adminApi(gatehouse).createProject("Tested callbacks");
  await selectProject(context, gatehouse, projectId);
  await signIn(page, gatehouse);
  answers = [204, 503];
  await page.goto("/tasks");
  await page.getByRole("button", { name: "Callback secret" }).click();
  const part = page.getByRole("region", { name: "Test a receiver" });
  const [address, send] = [part.getByLabel("Address"), part.getByRole("button", { name: "Send test" })];
  await address.fill("http://10.0.0.1/hook");
  await send.click();
  await expect(part.getByText(/callback_url is not https|GATEHOUSE_CALLBACK_HOSTS/).first()).toBeVisible();
  await expect(address).toHaveValue("http://10.0.0.1/hook");
  await address.fill(url);
  await send.click();
  await expect(part.getByRole("status").first()).toContainText("Delivered, 204");
  await expect(part.getByText("callback.test", { exact: false }).last()).toContainText(projectId);
  await expectNoAxeViolations(page);
  await send.click();
  await expect(part.getByRole("status").first()).toContainText("Not delivered, 503");
  await expect(part).toContainText("The receiver answered 503");
  await expectAccessibleOnPhone(page);
});
