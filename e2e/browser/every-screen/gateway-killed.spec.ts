import { readFileSync } from "node:fs";
import { adminApi } from "../../support/clients/admin-api";
import { test as base, expect } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";
import { type StartedGatehouse, startGatehouse } from "../../support/programs/start-gatehouse";
import { startWordProvider } from "../../support/servers/word-provider";

/** Both programs, supervised as by `npm start`. */
const test = base.extend<{ gatehouse: StartedGatehouse }, { started: StartedGatehouse }>({
  started: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern.
    async ({}, use) => {
      const started = await startGatehouse();
      await use(started);
      await started.stop();
    },
    { scope: "worker" },
  ],
  gatehouse: ({ started }, use) => use(started),
});

test("a gateway killed within an answer is reported to have stopped answering, and is restarted", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const provider = await startWordProvider(100);
  await api.createProvider("local", provider.baseUrl);
  await api.createModel({
    id: "local-model",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    routes: [{ provider: "local", model: "any" }],
  });
  await signIn(page, gatehouse);
  await page.goto("/playground?model=local-model");
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Count");
  await page.keyboard.press("Enter");
  const answer = page.getByRole("article").last();
  await expect(answer).toContainText("word3");
  process.kill(gatewayPid(gatehouse), "SIGKILL");
  await expect(answer).toContainText("The answer broke off");
  await expect(answer).toContainText("The gateway stopped answering.");
  await expect(answer).toContainText("word3");
  await expectNoAxeViolations(page);

  await expect
    .poll(gatehouse.output)
    .toContain("The gateway was ended by SIGKILL. Starting it again in 1 s.");
  await expect.poll(gatehouse.output).toContain("The gateway answers again.");
  await answer.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("article").last()).toContainText("word100", { timeout: 15_000 });
  await provider.stop();
});

test("a provider that refuses connections is named to members who may read providers", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const provider = await startWordProvider(1);
  await provider.stop();
  await api.createProvider("gone", provider.baseUrl);
  await api.createModel({
    id: "gone-model",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    routes: [{ provider: "gone", model: "any" }],
  });
  await signIn(page, gatehouse);
  await page.goto("/playground?model=gone-model");
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Count");
  await page.keyboard.press("Enter");
  const answer = page.getByRole("article").last();
  await expect(answer).toContainText("No answer arrived");
  await expect(answer).toContainText('The provider "gone" refused the connection.');
  await expectNoAxeViolations(page);
});

/** Returns the gateway's pid among the processes of `npm start`. */
function gatewayPid({ pid }: StartedGatehouse): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  const gateway = children.find((child) =>
    readFileSync(`/proc/${child}/cmdline`, "utf8").includes("lib/gateway/main.ts"),
  );
  if (gateway === undefined) throw new Error("No gateway runs");
  return gateway;
}
