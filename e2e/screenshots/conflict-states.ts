import type { Page } from "@playwright/test";
import { adminApi } from "../support/clients/admin-api";
import { alertAt } from "../support/clients/fire-alert";
import type { Gatehouse } from "../support/programs/start-gatehouse";
import { button, inDialog } from "./find-button";
import type { SampleData } from "./make-sample-data";
import type { State } from "./states";

const monthly = (threshold_amount: number) => ({ currency: "USD", interval: "month", threshold_amount });

/** What somebody else changed or deleted meanwhile. */
export function listConflicts({ project }: SampleData, gatehouse: Gatehouse): readonly State[] {
  const api = adminApi(gatehouse);
  const createRole = async (page: Page) => {
    const role = { role_name: `Auditors of ${Date.now()}`, permissions: ["api.ledger.read"] };
    const { id } = await api.call<{ id: string }>("POST", "/roles", role);
    await page.goto(`${gatehouse.consoleUrl}/roles/${id}`);
    await page.getByLabel("Name", { exact: true }).fill("Night auditors");
    return id;
  };
  return [
    {
      name: "conflict-limit",
      address: `/rate-limits/rl_sandbox-echo?project=${project}`,
      reach: async (page) => {
        const field = page.getByLabel(/^Requests per minute/);
        const value = Number((await field.inputValue()).replaceAll(",", ""));
        await field.fill("7");
        await api.saveRateLimit(project, "sandbox-echo", { max_requests_per_1_minute: value + 1 });
        await button(page, /^Save/).click();
        await page.getByRole("dialog").waitFor();
      },
    },
    {
      name: "conflict-role",
      address: "/roles",
      reach: async (page) => {
        const id = await createRole(page);
        await api.call("POST", `/roles/${id}`, {
          role_name: `Day auditors of ${"W".repeat(60)} ${Date.now()}`,
        });
        await button(page, /^Save/).click();
        await page.getByRole("dialog").waitFor();
      },
    },
    ...spendConflicts(gatehouse),
    {
      name: "deleted-meanwhile",
      address: "/roles",
      reach: async (page) => {
        await api.call("DELETE", `/roles/${await createRole(page)}`);
        await button(page, /^Save/).click();
        await page.getByText("Someone deleted this").waitFor();
      },
    },
    {
      name: "toast-over-dialog",
      address: "/keys",
      reach: async (page) => {
        await api.createKey(project, "temporary");
        await page.reload();
        await button(page, /^Delete/).click();
        await inDialog(page, /^Delete/).click();
        await page
          .getByText(/ deleted$/)
          .first()
          .waitFor();
        await button(page, "Create key").click();
        await page.getByRole("dialog").waitFor();
      },
    },
  ];
}

function spendConflicts(gatehouse: Gatehouse): readonly State[] {
  const api = adminApi(gatehouse);
  const controls = async (page: Page) => {
    const { id } = await api.createProject(`Checkout ${Date.now()}`);
    const alert = { ...alertAt(40_000), currency: "USD" };
    const { id: alertId } = await api.call<{ id: string }>("POST", `/projects/${id}/spend_alerts`, alert);
    await api.call("POST", `/projects/${id}/spend_limit`, monthly(50_000));
    await page.goto(`${gatehouse.consoleUrl}/projects/${id}/spend`);
    return { project: `/projects/${id}`, alert: `/projects/${id}/spend_alerts/${alertId}` };
  };
  return [
    {
      name: "conflict-spend-limit",
      address: "/projects",
      reach: async (page) => {
        const { project } = await controls(page);
        await button(page, "Change limit").click();
        await page.getByLabel("Limit for a month").fill("2000");
        await api.call("POST", `${project}/spend_limit`, monthly(123_456_700));
        await inDialog(page, /^Save/).click();
        await page.getByText("Someone else saved this").waitFor();
      },
    },
    {
      name: "conflict-spend-alert",
      address: "/projects",
      reach: async (page) => {
        const { alert } = await controls(page);
        await button(page, /^Change the alert/).click();
        await page.getByLabel("Threshold").fill("450");
        await page.getByLabel("Recipients").fill("finance@example.com\nops@example.com");
        const recipients = ["finance@example.com", `${"long".repeat(15)}@example.com`];
        const changed = { type: "email", recipients };
        await api.call("POST", alert, { ...alertAt(60_000), notification_channel: changed });
        await inDialog(page, /^Save/).click();
        await page.getByText("Someone else saved this").waitFor();
      },
    },
    {
      name: "deleted-spend-alert",
      address: "/projects",
      reach: async (page) => {
        const { alert } = await controls(page);
        await button(page, /^Change the alert/).click();
        await page.getByLabel("Threshold").fill("450");
        await api.call("DELETE", alert);
        await inDialog(page, /^Save/).click();
        await page.getByText("Someone deleted this").waitFor();
      },
    },
    {
      name: "removed-spend-limit",
      address: "/projects",
      reach: async (page) => {
        const { project } = await controls(page);
        await button(page, "Change limit").click();
        await page.getByLabel("Limit for a month").fill("2000");
        await api.call("DELETE", `${project}/spend_limit`);
        await inDialog(page, /^Save/).click();
        await page.getByText("Someone removed this limit").waitFor();
      },
    },
  ];
}
