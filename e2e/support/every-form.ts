import { expect, type Page } from "@playwright/test";
import { adminApi } from "./admin-api";
import type { Gatehouse } from "./start-gatehouse";

/** A form of the console, and how somebody begins to fill it in. */
export type ScreenForm = {
  path: string;
  /** Makes what the form changes. @returns the path of its page. */
  make?: (gatehouse: Gatehouse, projectId: string) => Promise<string>;
  /** Opens the dialog that the form is in. */
  button?: string;
  /** The field that is typed in, what is typed, and what the question says of it. */
  field: string;
  text: string;
  /** What the field begins with; empty unless said otherwise. */
  saved?: string;
  loss: RegExp;
  /** Secrets typed besides, which no browser keeps. */
  secrets?: Readonly<Record<string, string>>;
};

/** Every form of the console's screens, by what it makes or changes. */
export const everyForm: Readonly<Record<string, ScreenForm>> = {
  limits: {
    path: "/rate-limits/rl_sandbox-echo",
    field: "Requests per minute",
    text: "555",
    loss: /^Discard 1 unsaved change\?$/,
  },
  price: {
    path: "/models/sandbox-echo",
    field: "Model rate",
    text: "0.55",
    loss: /^Discard 1 unsaved change\?$/,
  },
  "scheduled price": {
    path: "/models/sandbox-echo",
    button: "Schedule a price",
    field: "Takes effect",
    text: "2100-01-01T09:00",
    loss: /^Discard the scheduled price\?$/,
  },
  role: {
    path: "/roles",
    make: makeRole,
    field: "Name",
    text: "Typed",
    loss: /^Discard 1 unsaved change\?$/,
  },
  "new role": { path: "/roles/new", field: "Name", text: "Typed", loss: /^Discard the new role\?$/ },
  "new model": { path: "/models/new", field: "Id", text: "typed", loss: /^Discard the new model\?$/ },
  "new project": {
    path: "/projects",
    button: "Create project",
    field: "Name",
    text: "Typed",
    loss: /^Discard the new project\?$/,
  },
  "project name": {
    path: "/projects/one",
    make: makeProject,
    button: "Rename",
    field: "Name",
    text: "Typed",
    saved: "Web shop",
    loss: /^Discard 1 unsaved change\?$/,
  },
  "new project member": {
    path: "/projects/one",
    make: async (gatehouse) => `${await makeProject(gatehouse)}?tab=members`,
    button: "Add member",
    field: "Email",
    text: "typed@example.com",
    loss: /^Discard the new member\?$/,
  },
  "new key": {
    path: "/keys",
    button: "Create key",
    field: "Name",
    text: "typed",
    loss: /^Discard the new key\?$/,
  },
  "key name": {
    path: "/keys",
    make: makeKey,
    button: "Rename key “Production”",
    field: "Name",
    text: "Typed",
    saved: "Production",
    loss: /^Discard 1 unsaved change\?$/,
  },
  "new payment": {
    path: "/balance",
    button: "Record payment",
    field: "Amount",
    text: "12.00",
    loss: /^Discard the payment\?$/,
  },
  "payment approval": {
    path: "/payments",
    button: "Change approval",
    field: "Approval above",
    text: "500.00",
    loss: /^Discard 1 unsaved change\?$/,
  },
  "new provider": {
    path: "/models",
    button: "Add provider",
    field: "Id",
    text: "typed",
    loss: /^Discard the new provider\?$/,
    secrets: { Key: "sk-never-kept" },
  },
  "new invitation": {
    path: "/members",
    button: "Invite member",
    field: "Email",
    text: "typed@example.com",
    loss: /^Discard the invitation\?$/,
  },
};

export const pageForms = Object.entries(everyForm).filter(([, { button }]) => !button);
export const dialogForms = Object.entries(everyForm).filter(([, { button }]) => button);

export const fieldOf = (page: Page, { field }: ScreenForm) => page.getByLabel(field, { exact: true });

/** Opens a form as somebody does, and waits until it hears what is typed. */
export async function openForm(page: Page, form: ScreenForm, gatehouse: Gatehouse): Promise<void> {
  await page.goto((await form.make?.(gatehouse, await currentProject(page))) ?? form.path);
  if (form.button) await page.getByRole("button", { name: form.button, exact: true }).first().click();
  await expect
    .poll(() =>
      fieldOf(page, form).evaluate((field) => Object.keys(field).some((key) => key.startsWith("__react"))),
    )
    .toBe(true);
}

/** Types into it, and leaves the focus in its field. */
export async function fillForm(page: Page, form: ScreenForm): Promise<void> {
  await fieldOf(page, form).fill(form.text);
  for (const [label, secret] of Object.entries(form.secrets ?? {})) {
    await page.getByLabel(label, { exact: true }).fill(secret);
  }
  await fieldOf(page, form).focus();
}

async function currentProject(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === "gatehouse_project")?.value ?? "";
}

async function makeRole(gatehouse: Gatehouse): Promise<string> {
  const { id } = await adminApi(gatehouse).call<{ id: string }>("POST", "/roles", {
    role_name: `Role ${Date.now()}`,
    permissions: ["api.roles.read"],
  });
  return `/roles/${id}`;
}

async function makeProject(gatehouse: Gatehouse): Promise<string> {
  const { id } = await adminApi(gatehouse).createProject("Web shop");
  return `/projects/${id}`;
}

async function makeKey(gatehouse: Gatehouse, projectId: string): Promise<string> {
  await adminApi(gatehouse).call("POST", `/projects/${projectId}/api_keys`, { name: "Production" });
  return "/keys";
}
