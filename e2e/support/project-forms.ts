import { adminApi } from "./admin-api";
import type { ScreenForm } from "./screen-form";
import type { Gatehouse } from "./start-gatehouse";

/** The forms of a project's page. Each test uses a new project. */
export const projectForms: Readonly<Record<string, ScreenForm>> = {
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
  "project role": {
    path: "/projects/one",
    make: inProject("roles"),
    button: "Create role",
    field: "Name",
    text: "Typed",
    loss: /^Discard the new role\?$/,
  },
  "new service account": {
    path: "/projects/one",
    make: inProject("keys"),
    button: "Create service account",
    field: "Name",
    text: "typed",
    loss: /^Discard the service account\?$/,
  },
  "service account": {
    path: "/projects/one",
    make: inProject("keys", makeServiceAccount),
    button: "Change the service account “deploys”",
    field: "Name",
    text: "typed",
    saved: "deploys",
    loss: /^Discard 1 unsaved change\?$/,
  },
  "new key of a service account": {
    path: "/projects/one",
    make: inProject("keys", makeServiceAccount),
    button: "Create a key for “deploys”",
    field: "Name",
    text: "typed",
    loss: /^Discard the new key\?$/,
  },
  "models of a project": {
    path: "/projects/one",
    make: inProject("models"),
    field: "It may call",
    text: "deny_list",
    saved: "all",
    loss: /^Discard 1 unsaved change\?$/,
  },
  "what a project keeps": {
    path: "/projects/one",
    make: inProject("data"),
    field: "Patterns to redact",
    text: "secret",
    loss: /^Discard 1 unsaved change\?$/,
  },
  "spend limit": {
    path: "/projects/one",
    make: inProject("spend"),
    button: "Set a limit",
    field: "Limit for a month",
    text: "500.00",
    loss: /^Discard the spend limit of .+\?$/,
  },
  "new spend alert": {
    path: "/projects/one",
    make: inProject("spend"),
    button: "Create alert",
    field: "Threshold",
    text: "50.00",
    loss: /^Discard the new alert\?$/,
  },
  "spend alert": {
    path: "/projects/one",
    make: inProject("spend", makeSpendAlert),
    button: "Change the alert at 25.00",
    field: "Subject prefix",
    text: "Typed",
    loss: /^Discard 1 unsaved change\?$/,
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
