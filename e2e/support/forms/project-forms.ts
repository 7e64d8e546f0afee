import { adminApi } from "../clients/admin-api";
import type { Gatehouse } from "../programs/start-gatehouse";
import type { ScreenForm } from "./screen-form";

/** The forms of a project's page. Each test uses a new project. */
export const projectForms: Readonly<Record<string, ScreenForm>> = {
  "project name": {
    file: "app/(console)/projects/rename-project-dialog.tsx",
    path: "/projects/one",
    createPage: makeProject,
    button: "Rename",
    field: "Name",
    input: "Typed",
    saved: "Web shop",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "new project member": {
    file: "app/(console)/projects/members/add-to-project-dialog.tsx",
    path: "/projects/one",
    createPage: async (gatehouse) => `${await makeProject(gatehouse)}?tab=members`,
    button: "Add member",
    field: "Email",
    input: "typed@example.com",
    discardTitle: /^Discard the new member\?$/,
  },
  "project role": {
    file: "app/(console)/roles/project-roles/project-role-dialogs.tsx NewProjectRole",
    path: "/projects/one",
    createPage: inProject("roles"),
    button: "Create role",
    field: "Name",
    input: "Typed",
    discardTitle: /^Discard the new role\?$/,
  },
  "role of a project": {
    file: "app/(console)/roles/project-roles/project-role-dialogs.tsx EditProjectRole",
    path: "/projects/one",
    createPage: inProject("roles", makeProjectRole),
    button: "Change the role “Watches tasks”",
    field: "Name",
    input: "Typed",
    saved: "Watches tasks",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "new service account": {
    file: "app/(console)/keys/service-accounts/service-account-dialogs.tsx CreateServiceAccount",
    path: "/projects/one",
    createPage: inProject("keys"),
    button: "Create service account",
    field: "Name",
    input: "typed",
    discardTitle: /^Discard the service account\?$/,
  },
  "service account": {
    file: "app/(console)/keys/service-accounts/service-account-dialogs.tsx EditServiceAccountDialog",
    path: "/projects/one",
    createPage: inProject("keys", makeServiceAccount),
    button: "Change the service account “deploys”",
    field: "Name",
    input: "typed",
    saved: "deploys",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "new key of a service account": {
    file: "app/(console)/keys/service-accounts/service-account-dialogs.tsx AccountKeyDialog",
    path: "/projects/one",
    createPage: inProject("keys", makeServiceAccount),
    button: "Create a key for “deploys”",
    field: "Name",
    input: "typed",
    discardTitle: /^Discard the new key\?$/,
  },
  "models of a project": {
    file: "app/(console)/projects/models/model-permissions-form.tsx",
    path: "/projects/one",
    createPage: inProject("models"),
    field: "This project can call",
    input: "deny_list",
    saved: "all",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "tools of a project": {
    file: "app/(console)/projects/project-page-screen.tsx",
    path: "/projects/one",
    createPage: inProject("models"),
    field: "Tools without a price",
    input: "refuse",
    saved: "leave_out",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "what a project keeps": {
    file: "app/(console)/projects/body-settings/body-settings-form.tsx",
    path: "/projects/one",
    createPage: inProject("data"),
    field: "Patterns to redact",
    input: "secret",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "spend limit": {
    file: "app/(console)/spend-limits/spend-limit-dialog.tsx",
    path: "/projects/one",
    createPage: inProject("spend"),
    button: "Set a limit",
    field: "Limit for a month",
    input: "500.00",
    discardTitle: /^Discard the spend limit of .+\?$/,
  },
  "new spend alert": {
    file: "app/(console)/spend-limits/spend-alert-dialogs.tsx CreateSpendAlert",
    path: "/projects/one",
    createPage: inProject("spend"),
    button: "Create alert",
    field: "Threshold",
    input: "50.00",
    discardTitle: /^Discard the new alert\?$/,
  },
  "spend alert": {
    file: "app/(console)/spend-limits/spend-alert-dialogs.tsx EditSpendAlertDialog",
    path: "/projects/one",
    createPage: inProject("spend", makeSpendAlert),
    button: "Change the alert at 25.00",
    field: "Subject prefix",
    input: "Typed",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
};

/** Creates a project and returns the path of one of its tabs. */
function inProject(tab: string, prepare?: (gatehouse: Gatehouse, projectId: string) => Promise<unknown>) {
  return async (gatehouse: Gatehouse): Promise<string> => {
    const { id } = await adminApi(gatehouse).createProject("Web shop");
    await prepare?.(gatehouse, id);
    return `/projects/${id}?tab=${tab}`;
  };
}

function makeProjectRole(gatehouse: Gatehouse, projectId: string): Promise<unknown> {
  return adminApi(gatehouse).createProjectRole(projectId, "Watches tasks", ["api.tasks.read"]);
}

function makeServiceAccount(gatehouse: Gatehouse, projectId: string): Promise<unknown> {
  return adminApi(gatehouse).call("POST", `/projects/${projectId}/service_accounts`, { name: "deploys" });
}

function makeSpendAlert(gatehouse: Gatehouse, projectId: string): Promise<unknown> {
  return adminApi(gatehouse).call("POST", `/projects/${projectId}/spend_alerts`, {
    currency: "USD",
    interval: "month",
    threshold_amount: 2500,
    notification_channel: { type: "email", recipients: ["ada@example.com"] },
  });
}

async function makeProject(gatehouse: Gatehouse): Promise<string> {
  const { id } = await adminApi(gatehouse).createProject("Web shop");
  return `/projects/${id}`;
}
