import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { holdScripts } from "../../support/pages/hold-scripts";
import { openAsMember } from "../../support/pages/open-as-member";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "palette" });

async function type(page: Page, text: string) {
  await page.keyboard.press("ControlOrMeta+K");
  await expect(page.getByRole("combobox", { name: "Screen, project or command" })).toBeFocused();
  await page.keyboard.type(text);
}
const option = (page: Page, name: RegExp) => page.getByRole("option", { name });

test("the palette finds objects by name or id, and opens them on Enter", async ({ page, gatehouse }) => {
  const { call, createProject } = adminApi(gatehouse);
  const ada = await joinMember(gatehouse, "ada@example.com", { name: "Ada Lovelace" });
  const project = await createProject("Zeppelin");
  await call("POST", "/groups", { name: "Astronomers" });
  await signIn(page, gatehouse);
  await page.goto("/calculator");
  await type(page, "lovelace");
  await expect(option(page, /Ada Lovelace/)).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/members/${ada.id}`);
  await type(page, "astron");
  await expect(option(page, /Astronomers/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Astronomers" })).toBeVisible();
  await type(page, project.id);
  await expect(option(page, /Zeppelin/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/projects/${project.id}`);
  await type(page, "sandbox-ec");
  await expect(option(page, /sandbox-echo Model/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/models/sandbox-echo");
  await type(page, "req_0123456789abcdef");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/requests/req_0123456789abcdef");
  await type(page, "txn_0123456789abcdef");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/balance/txn_0123456789abcdef");
});

test("a payment is found by a part of its reference", async ({ page, gatehouse }) => {
  const { call } = adminApi(gatehouse);
  const payment = await call<{ id: string }>("POST", "/payments", {
    amount: "12.00",
    reference: "Wire 4711-B",
  });
  await signIn(page, gatehouse);
  await page.goto("/calculator");
  await type(page, "4711-b");
  await expect(option(page, /Wire 4711-B Payment/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/balance/${payment.id}`);
});

test("roles, limits, prompts and pasted ids are found too, and Enter before the answer opens the first result", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const role = await call<{ id: string }>("POST", "/roles", {
    role_name: "Night auditors",
    permissions: ["api.audit_logs.read"],
  });
  const { data: projects } = await call<{ data: { id: string }[] }>("GET", "/projects");
  const { id: promptId } = await call<{ id: string }>("POST", `/projects/${projects[0]?.id}/prompts`, {
    name: "Incident summary",
    content: {
      endpoint: "chat_completions",
      body: { messages: [{ role: "user", content: "Summarize it." }] },
    },
  });
  await signIn(page, gatehouse);
  await page.goto("/calculator");
  await type(page, "night aud");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/roles/${role.id}`);
  await type(page, "incident sum");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/prompts/${promptId}$`));
  await type(page, "rl_sandbox-echo");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/limits\/sandbox-echo/);
  await type(page, '"id": "task_01kb4x7q2m0000000000000000"');
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/tasks/task_01kb4x7q2m0000000000000000");
});

test("a key and a prompt of another project are found, and open in their project", async ({
  page,
  context,
  gatehouse,
}) => {
  const { call, createProject, createKey } = adminApi(gatehouse);
  const lab = await createProject("Laboratory");
  const here = await createProject("Selected one");
  await selectProject(context, gatehouse, here.id);
  await createKey(lab.id, "Centrifuge");
  const { id: promptId } = await call<{ id: string }>("POST", `/projects/${lab.id}/prompts`, {
    name: "Protocol of a spin",
    content: {
      endpoint: "chat_completions",
      body: { messages: [{ role: "user", content: "Summarize it." }] },
    },
  });
  await signIn(page, gatehouse);
  await page.goto("/calculator");
  const project = page.getByRole("button", { name: /^Project: / });
  await type(page, "centrifuge");
  await expect(option(page, /Centrifuge in Laboratory Key/)).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/projects/${lab.id}/keys?q=Centrifuge`);
  await expect(project).toHaveAccessibleName(/Laboratory/);
  await expect(page.getByRole("row", { name: /Centrifuge/ })).toBeVisible();

  await selectProject(context, gatehouse, here.id);
  await page.goto("/calculator");
  await type(page, "of a spin");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/prompts/${promptId}$`));
  await expect(page.getByRole("heading", { level: 1, name: "Protocol of a spin" })).toBeVisible();
});

test("the palette begins what one would do: the dialog opens once, on the same page too", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/calculator");
  for (const [text, title] of [
    ["record pay", "Record payment"],
    ["invite", "Invite member"],
    ["create key", "Create key"],
  ] as const) {
    await type(page, text);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: title })).toBeVisible();
    await expect(page).not.toHaveURL(/open=/);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
  await type(page, "create key");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Create key" })).toBeVisible();
});

test("the shortcut and the button work before the page's script has loaded, and nothing typed is lost", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  const launcher = page.getByRole("button", { name: "Search or jump to…" });
  const search = page.getByRole("combobox", { name: "Screen, project or command" });
  for (const begin of [() => page.keyboard.press("ControlOrMeta+K"), () => launcher.click()]) {
    const release = await holdScripts(page);
    await page.goto("/roles", { waitUntil: "commit" });
    await expect(launcher).toBeVisible();
    await page.keyboard.press("ControlOrMeta+K");
    await page.keyboard.type("forgotten");
    await page.keyboard.press("Escape");
    await begin();
    await page.keyboard.type("calcc");
    await page.keyboard.press("Backspace");
    await expect(search).toHaveCount(0);
    await release();
    await expect(search).toHaveValue("calc");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/calculator");
  }
});

test("a tester is offered neither screens nor actions that they can't use", async ({
  page,
  context,
  gatehouse,
}) => {
  await openAsMember(context, gatehouse, { email: "tes@example.com", name: "Tes", role: "prompt_tester" });
  await page.goto("/calculator");
  await type(page, "record");
  await expect(page.getByText("Nothing is named “record”.")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("calc");
  await expect(option(page, /^Calculator/)).toBeVisible();
});

test("an Enter that confirms a composition chooses nothing in the palette", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/projects");
  const confirm = { key: "Enter", keyCode: 229, bubbles: true };
  await type(page, "calc");
  await expect(option(page, /Calculator/)).toBeVisible();
  const search = page.getByRole("combobox", { name: "Screen, project or command" });
  await search.dispatchEvent("keydown", confirm);
  await expect(search).toHaveValue("calc");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/calculator");
});

test("the shortcuts name those of the panel beside a list", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/requests");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Show the next row");
});

test("a question mark shows the shortcuts, but not when typed in a field", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/projects");
  await page.getByRole("button", { name: "Create project" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("");
  await page.keyboard.type("why?");
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("why?");
  await page.getByRole("textbox", { name: "Name" }).fill("");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});
