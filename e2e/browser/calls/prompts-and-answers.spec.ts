import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

/** A project of its own, and a function that calls with its key. */
async function createCaller(gatehouse: Gatehouse, name: string) {
  const api = adminApi(gatehouse);
  const project = await api.createProject(name);
  const key = await api.createKey(project.id, name);
  return {
    project,
    keep: (mode: string, redactions: string[] = []) =>
      api.call("POST", `/projects/${project.id}/body_settings`, { mode, retention_days: 30, redactions }),
    async call(content: string) {
      const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
        key: key.value,
        body: {
          model: "sandbox-echo",
          temperature: 0.5,
          messages: [
            { role: "system", content: "Answer in one line." },
            { role: "user", content },
          ],
        },
      });
      const id = reply.headers.get("x-request-id") ?? "";
      // Bodies are stored shortly after the call.
      await expect
        .poll(async () => (await api.call<{ body: { state: string } }>("GET", `/requests/${id}`)).body.state)
        .not.toBe("pending");
      return id;
    },
  };
}

test("stored bodies are set on the project's page; an invalid pattern is shown at its field, and no input is lost", async ({
  page,
  gatehouse,
}) => {
  const { project, call } = await createCaller(gatehouse, "Keeps prompts");
  await signIn(page, gatehouse);
  await page.goto(`/projects/${project.id}`);
  await page.getByRole("link", { name: "Data", exact: true }).click();
  const form = page.getByRole("main");
  await expect(form.getByLabel("Keep", { exact: true })).toHaveValue("off");
  await expectNoAxeViolations(page);
  await form.getByLabel("Keep", { exact: true }).selectOption("whole");
  await form.getByLabel("Delete after").fill("7");
  await form.getByLabel("Patterns to redact").fill("1234\n(?=ahead)");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText(/"\(\?=ahead\)" is no regular expression/)).toBeVisible();
  await expect(form.getByLabel("Patterns to redact")).toHaveValue("1234\n(?=ahead)");
  await expectNoAxeViolations(page);
  await form.getByLabel("Patterns to redact").fill("1234");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText("Saved 3 changes")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoSidewaysScroll(page);
  const id = await call("My code is 1234");
  await page.goto(`/requests/${id}`);
  await page.getByRole("button", { name: "Read prompt and answer" }).click();
  const read = page.getByRole("region", { name: "Prompt and answer of this call" });
  await expect(read).toBeFocused();
  await expect(read.getByText("My code is [redacted]").first()).toBeVisible();
  await expect(read.getByText("2 passages were redacted.")).toBeVisible();
  await expectNoAxeViolations(page);
  await expectNoSidewaysScroll(page);
});

test("a receipt shows a conversation, its JSON, and in words why there is none; each reading is in the audit log", async ({
  page,
  gatehouse,
}) => {
  const { keep, call } = await createCaller(gatehouse, "Told receipts");
  const unkept = await call("before");
  await keep("metadata");
  const described = await call("described");
  await keep("whole");
  const kept = await call("Hello there");
  await signIn(page, gatehouse);

  await page.goto(`/requests/${unkept}`);
  await expect(page.getByText("The project didn’t store prompts and answers")).toBeVisible();
  await page.goto(`/requests/${described}`);
  await expect(page.getByText("system (19 bytes), user (9 bytes)")).toBeVisible();
  await expect(page.getByText("temperature 0.5", { exact: true })).toBeVisible();
  await expect(page.getByText("keeps metadata alone")).toBeVisible();

  await page.goto(`/requests/${kept}`);
  await page.getByRole("button", { name: "Read prompt and answer" }).click();
  const said = page.getByRole("region", { name: "Prompt and answer of this call" }).getByRole("listitem");
  await expect(said).toHaveCount(3);
  await expect(said.nth(0)).toContainText("Answer in one line.");
  await expect(said.nth(2)).toContainText("Hello there");
  await page.getByRole("tab", { name: "Request JSON" }).click();
  await expect(page.getByText('"temperature": 0.5')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.goto("/audit-logs");
  await expect(page.getByText("Read prompt and answer").filter({ visible: true }).first()).toBeVisible();
});

test("a member who may not read prompts and answers sees that they are stored, and can't change the setting", async ({
  page,
  context,
  gatehouse,
}) => {
  const { project, keep, call } = await createCaller(gatehouse, "Read by few");
  await keep("whole");
  const id = await call("secret plans");
  await openAsMember(context, gatehouse, { email: "reader@few.test", name: "Rea", role: "reader" });
  await page.goto(`/requests/${id}`);
  await expect(page.getByText("your role doesn’t let you read them")).toBeVisible();
  await expect(page.getByRole("button", { name: "Read prompt and answer" })).toHaveCount(0);
  await page.goto(`/projects/${project.id}?tab=data`);
  await expect(page.getByLabel("Keep", { exact: true })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test("a call whose prompt is kept opens in the playground whole, as a conversation that sends it again", async ({
  page,
  gatehouse,
}) => {
  const { keep, call } = await createCaller(gatehouse, "Opened again");
  await keep("whole");
  const id = await call("Say it again");
  await signIn(page, gatehouse);
  await page.goto(`/requests/${id}`);
  await page.getByRole("button", { name: "Read prompt and answer" }).click();
  await page.getByRole("button", { name: "Open prompt in playground" }).click();
  await expect(page).toHaveURL(/\/playground$/);
  const conversation = page.getByRole("group", { name: "Conversation with sandbox-echo" });
  await expect(conversation).toContainText("Say it again");
  await expect(page.getByLabel("Temperature", { exact: true })).toHaveValue("0.5");
  await expect(page.getByLabel("System", { exact: true })).toHaveValue("Answer in one line.");
  await expectNoAxeViolations(page);
});
