import type { Task } from "@/lib/contract/operations/tasks/task";
import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "running-tasks" });

const endless = { model: "sandbox-video", prompt: "waves", sandbox: { outcome: "never ends" } };

test("the sidebar counts the selected project’s running tasks on every screen, as they begin and end", async ({
  page,
  context,
  gatehouse,
}) => {
  const projectId = await createSelectedProject(context, gatehouse, "With tasks");
  const { createKey } = adminApi(gatehouse);
  const { value } = await createKey(projectId, "studio");
  const ask = async (path: string, body?: object) => {
    const reply = await fetchWithKey(`${gatehouse.baseUrl}${path}`, {
      method: body ? "POST" : "GET",
      key: value,
      body,
    });
    return (await reply.json()) as Task;
  };
  const create = () => ask("/chat/completions", endless);
  const link = page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: /^Activity/ });
  const task = await create();
  await signIn(page, gatehouse);
  await page.clock.install();
  await page.goto("/calculator");
  await expect.poll(async () => (await ask(`/tasks/${task.id}`)).status).toBe("running");
  await page.clock.fastForward(20_000);
  await expect(link).toHaveText("Activity1 running");
  await expectNoAxeViolations(page);
  const other = await create();
  await expect.poll(async () => (await ask(`/tasks/${other.id}`)).status).toBe("running");
  await page.clock.fastForward(20_000);
  await expect(link).toHaveText("Activity2 running");
  for (const { id } of [task, other]) {
    await ask(`/tasks/${id}/cancel`, {});
    await expect.poll(async () => (await ask(`/tasks/${id}`)).status).toBe("canceled");
  }
  await page.clock.fastForward(20_000);
  await expect(link).toHaveText("Activity");
});
