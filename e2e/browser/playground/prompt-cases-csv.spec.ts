import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test("cases come from a CSV: its faults are named by line, then all rows are added, saved and exported", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const { id: projectId } = await api.createProject("Cases from CSV");
  await selectProject(context, gatehouse, projectId);
  await signIn(page, gatehouse);
  const body = { messages: [{ role: "user", content: "Explain {{topic}} in a {{tone}} tone" }] };
  const draft = { name: "Explain", content: { endpoint: "chat_completions", body } };
  const prompt = await api.call<{ id: string }>("POST", `/projects/${projectId}/prompts`, draft);
  await page.goto(`/prompts/${prompt.id}?tab=cases`);
  await page.getByRole("button", { name: "Add from CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Add cases from CSV" });
  await dialog.getByLabel("CSV", { exact: true }).fill("topic,tone\nlimits\n");
  await expect(dialog.getByText(/^Line 2: It has 1 value, /)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Add cases" })).toBeDisabled();
  await expectNoAxeViolations(page);
  const tooLarge = dialog.getByText(/^CSV is larger than 2 MiB/);
  await dialog
    .getByLabel("CSV file")
    .setInputFiles({ name: "cases.csv", mimeType: "text/csv", buffer: Buffer.alloc(2 * 1024 * 1024 + 1) });
  await expect(tooLarge).toBeVisible();
  await dialog.getByLabel("CSV", { exact: true }).fill('topic,tone\nlimits,plain\n"holds, too",warm\n');
  await expect(dialog.getByText("Adds 2 cases")).toBeVisible();
  await expect(tooLarge).toHaveCount(0);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keep editing" }).click();
  await dialog.getByRole("button", { name: "Add 2 cases" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: /^Save/ }).click();
  await page.reload();
  await expect(page.getByText("holds, too")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toBe("cases.csv");
  await expectNoAxeViolations(page);
});
