import { expect, type Page } from "@playwright/test";
import { adminApi } from "../clients/admin-api";
import type { Gatehouse } from "../programs/start-gatehouse";
import { keyForms } from "./key-forms";
import { projectForms } from "./project-forms";
import { promptForms } from "./prompt-forms";
import type { ScreenForm } from "./screen-form";

/**
 * The forms of the console, by what they make or change. `every-form.test.ts` names those that are left out, and why.
 */
export const everyForm: Readonly<Record<string, ScreenForm>> = {
  limits: {
    file: "app/(console)/rate-limits/rate-limit-form.tsx",
    path: "/rate-limits/rl_sandbox-echo",
    createPage: async (_, projectId) =>
      projectId === "" ? "/rate-limits/rl_sandbox-echo" : `/projects/${projectId}/limits/sandbox-echo`,
    field: "Requests per minute",
    input: "555",
    previews: true,
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  price: {
    file: "app/(console)/models/edit-model-form.tsx",
    path: "/models/sandbox-echo",
    field: "Model rate",
    input: "0.55",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  routes: {
    file: "app/(console)/models/[id]/routes/routes-form.tsx",
    path: "/models",
    createPage: makeRoutedModel,
    field: "Weight of nearby words",
    calledField: "Routes",
    saved: "100",
    input: "70",
    previews: true,
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "new route": {
    file: "app/(console)/models/[id]/routes/route-dialog.tsx",
    path: "/models",
    createPage: makeRoutedModel,
    button: "Add route",
    field: "Model at the provider",
    input: "typed",
    discardTitle: /^Discard the new route\?$/,
  },
  "scheduled price": {
    file: "app/(console)/models/scheduled/schedule-price.tsx",
    path: "/models/sandbox-echo",
    button: "Schedule a price",
    field: "Takes effect",
    input: "2100-01-01T09:00",
    discardTitle: /^Discard the scheduled price\?$/,
  },
  role: {
    file: "app/(console)/roles/role-screen.tsx",
    path: "/roles",
    createPage: makeRole,
    field: "Name",
    input: "Typed",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "new role": {
    file: "app/(console)/roles/new-role-form.tsx",
    path: "/roles/new",
    field: "Name",
    input: "Typed",
    discardTitle: /^Discard the new role\?$/,
  },
  "new model": {
    file: "app/(console)/models/new/new-model-form.tsx",
    path: "/models/new",
    field: "Id",
    input: "typed",
    discardTitle: /^Discard the new model\?$/,
  },
  "new project": {
    file: "app/(console)/projects/project-list/create-project-dialog.tsx",
    path: "/projects",
    button: "Create project",
    field: "Name",
    input: "Typed",
    discardTitle: /^Discard the new project\?$/,
  },
  "new payment": {
    file: "app/(console)/balance/payment-dialog.tsx",
    path: "/balance",
    button: "Record payment",
    field: "Amount",
    input: "12.00",
    discardTitle: /^Discard the payment\?$/,
  },
  "payment import": {
    file: "app/(console)/payments/import/import-screen.tsx",
    path: "/payments/import",
    field: "Payments as CSV",
    input: "amount,reference",
    discardTitle: /^Discard the import\?$/,
  },
  correction: {
    file: "app/(console)/balance/corrections/correction-dialog.tsx",
    path: "/balance/one",
    createPage: findOpeningPayment,
    button: "Correct this entry",
    field: "Reason",
    input: "Recorded twice",
    discardTitle: /^Discard the correction\?$/,
  },
  "payment approval": {
    file: "components/money/payments/approval-dialog.tsx",
    path: "/payments",
    button: "Change approval",
    field: "Approval above",
    input: "500.00",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  organization: {
    file: "app/(console)/settings/organization-screen.tsx",
    path: "/settings",
    field: "Name",
    input: "Typed",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "new provider": {
    file: "app/(console)/providers/import/provider-setup.tsx",
    path: "/providers/new",
    field: "Id",
    input: "typed",
    discardTitle: /^Discard the new provider\?$/,
    secrets: { Key: "sk-never-kept" },
  },
  "provider settings": {
    file: "app/(console)/providers/provider-dialogs.tsx EditProviderDialog",
    path: "/providers",
    createPage: makeProvider,
    button: "Settings of provider “nearby”",
    field: "Silence",
    input: "90",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "new invitation": {
    file: "app/(console)/members/invites/invite-dialog.tsx",
    path: "/members",
    button: "Invite member",
    field: "Email",
    input: "typed@example.com",
    discardTitle: /^Discard the invitation\?$/,
  },
  "new admin key": {
    file: "app/(console)/admin-keys/create-admin-key.tsx",
    path: "/admin-keys",
    button: "Create admin key",
    field: "Name",
    input: "typed",
    discardTitle: /^Discard the new admin key\?$/,
  },
  "new directory token": {
    file: "app/(console)/directory/create-token.tsx",
    path: "/directory",
    button: "Create token",
    field: "Name",
    input: "Okta",
    discardTitle: /^Discard the new token\?$/,
  },
  "new group": {
    file: "app/(console)/groups/group-dialogs.tsx CreateGroup",
    path: "/groups",
    button: "Create group",
    field: "Name",
    input: "Typed",
    discardTitle: /^Discard the new group\?$/,
  },
  "group name": {
    file: "app/(console)/groups/group-dialogs.tsx RenameGroupDialog",
    path: "/groups/one",
    createPage: makeGroup,
    button: "Rename",
    field: "Name",
    input: "Typed",
    saved: "Support",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "new group member": {
    file: "app/(console)/groups/group-dialogs.tsx AddGroupMember",
    path: "/groups/one",
    createPage: makeGroup,
    button: "Add member",
    field: "Email",
    input: "typed@example.com",
    discardTitle: /^Discard the new member\?$/,
  },
  "price by the unit": {
    file: "app/(console)/models/edit-unit-price-form.tsx",
    path: "/models/sandbox-image",
    field: "Model rate",
    input: "0.55",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  ...keyForms,
  ...projectForms,
  ...promptForms,
};

export const pageForms = Object.entries(everyForm).filter(([, { button }]) => !button);
export const dialogForms = Object.entries(everyForm).filter(([, { button }]) => button);

export const locateField = (page: Page, { field }: ScreenForm) => page.getByLabel(field, { exact: true });

/** Opens a form as a user would, and waits until it reacts to typing. */
export async function openForm(page: Page, form: ScreenForm, gatehouse: Gatehouse): Promise<void> {
  await page.goto((await form.createPage?.(gatehouse, await currentProject(page))) ?? form.path);
  if (form.button) await openFormDialog(page, form);
  await expect
    .poll(() =>
      locateField(page, form).evaluate((field) =>
        Object.keys(field).some((key) => key.startsWith("__react")),
      ),
    )
    .toBe(true);
}

/** Opens the dialog of a form whose page is shown. */
export async function openFormDialog(page: Page, { button, entry }: ScreenForm): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).first().click();
  if (entry) await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** Fills in the form and leaves the focus in its field. */
export async function fillForm(page: Page, form: ScreenForm): Promise<void> {
  const field = locateField(page, form);
  if (await field.evaluate(({ tagName }) => tagName === "SELECT")) await field.selectOption(form.input);
  else await field.fill(form.input);
  for (const [label, secret] of Object.entries(form.secrets ?? {})) {
    await page.getByLabel(label, { exact: true }).fill(secret);
  }
  await locateField(page, form).focus();
}

async function currentProject(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === "gatehouse_project")?.value ?? "";
}

async function findOpeningPayment(gatehouse: Gatehouse): Promise<string> {
  const { data } = await adminApi(gatehouse).call<{ data: { id: string }[] }>("GET", "/ledger?kind=payment");
  return `/balance/${data.at(-1)?.id}`;
}

async function makeRole(gatehouse: Gatehouse): Promise<string> {
  const { id } = await adminApi(gatehouse).call<{ id: string }>("POST", "/roles", {
    role_name: `Role ${Date.now()}`,
    permissions: ["api.roles.read"],
  });
  return `/roles/${id}`;
}

/** Returns the path of the routes of a model that leads to a provider that can be changed. */
async function makeRoutedModel(gatehouse: Gatehouse): Promise<string> {
  await makeProvider(gatehouse);
  const { call } = adminApi(gatehouse);
  const { data } = await call<{ data: { id: string }[] }>("GET", "/models?limit=100");
  const id = "routed-words";
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "nearby", model: "words" }];
  if (!data.some((model) => model.id === id))
    await call("POST", "/models", { id, family: "chat", rate: "1", price, routes });
  return `/models/${id}/routes`;
}

/** Returns the path of the providers, among which is one that can be changed. */
async function makeProvider(gatehouse: Gatehouse): Promise<string> {
  const { call, createProvider } = adminApi(gatehouse);
  const { data } = await call<{ data: { id: string }[] }>("GET", "/providers?limit=100");
  if (!data.some(({ id }) => id === "nearby")) await createProvider("nearby", "http://127.0.0.1:9/v1");
  return "/providers";
}

/** Returns the path of the group with this name. Creates it if it is missing. */
async function makeGroup(gatehouse: Gatehouse): Promise<string> {
  const { call } = adminApi(gatehouse);
  const { data } = await call<{ data: { id: string; name: string }[] }>("GET", "/groups?limit=1000");
  const group =
    data.find(({ name }) => name === "Support") ??
    (await call<{ id: string }>("POST", "/groups", { name: "Support" }));
  return `/groups/${group.id}`;
}
