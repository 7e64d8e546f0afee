import type { Page } from "@playwright/test";
import { adminApi } from "../support/clients/admin-api";
import { joinMember } from "../support/clients/join-member";
import { createOrganizationClient } from "../support/clients/organization-client";
import type { Gatehouse } from "../support/programs/start-gatehouse";
import { button } from "./find-button";
import type { SampleData } from "./make-sample-data";
import type { State } from "./states";

/** What administrators decide with: what members ask for, changes of many at once, a plan, a replay. */
export function listAdminStates({ project }: SampleData, gatehouse: Gatehouse): readonly State[] {
  return [
    ...memberStates,
    {
      name: "asked-for-more",
      address: "/",
      reach: async (page) => {
        await askForMore(gatehouse, project);
        await page.reload();
        await button(page, "Decline").last().waitFor();
      },
    },
    {
      name: "limits-review",
      address: `/projects/${project}/limits`,
      reach: async (page) => {
        await page.locator("[data-taking-over]").waitFor({ state: "detached" });
        // The first cell is the head of the project's rows, each of which has six.
        const cells = page.getByRole("gridcell");
        for (const [at, value] of ["2", "x2", "900"].entries()) {
          await cells.nth(1 + at * 6).click();
          await page.keyboard.type(value);
          await page.keyboard.press("Enter");
        }
        await button(page, /^Review/).click();
        await button(page, /^Save/).waitFor();
      },
    },
    {
      name: "plan",
      address: "/settings/configuration",
      reach: async (page) => {
        await planFile(page, `organization: { spend_limit: "500.00" }\n`);
        await page.getByRole("heading", { name: /^The file has/ }).waitFor();
      },
    },
    {
      name: "plan-error",
      address: "/settings/configuration",
      reach: async (page) => {
        await planFile(page, "rolls: []");
        await page.getByText("the file has no such field").waitFor();
      },
    },
  ];
}

const memberStates: readonly State[] = [
  {
    name: "bulk-members",
    address: "/members",
    reach: async (page) => {
      for (const at of [1, 2, 3]) await page.getByRole("checkbox").nth(at).check();
      await button(page, "Change role").click();
      await page.getByRole("dialog").getByLabel("Role").selectOption("Finance");
      await page.getByRole("region", { name: "Changed" }).waitFor();
    },
  },
  {
    name: "role-draft",
    address: "/roles/new",
    reach: async (page) => {
      for (const at of [0, 1, 2]) await page.locator("main").getByRole("checkbox").nth(at).click();
      await page
        .getByRole("heading", { name: /^Gained/ })
        .first()
        .waitFor();
    },
  },
];

async function planFile(page: Page, text: string): Promise<void> {
  await page.getByLabel("Configuration file", { exact: true }).fill(text);
  await button(page, "Preview changes").click();
}

/** A tester asks for each thing that there is; again it is asked for already. */
async function askForMore(gatehouse: Gatehouse, project: string): Promise<void> {
  const { call } = adminApi(gatehouse);
  const spend_limit = { currency: "USD", interval: "month", threshold_amount: 50_000 };
  await call("POST", `/projects/${project}/spend_limit`, spend_limit);
  const mode = { mode: "deny_list", model_ids: ["sandbox-chat"] };
  await call("POST", `/projects/${project}/model_permissions`, mode);
  const email = `tester-${Date.now()}@example.com`;
  const { token } = await joinMember(gatehouse, email, { name: "Tess Tester", role: "prompt_tester" });
  const ask = createOrganizationClient(gatehouse.baseUrl);
  const limits = { max_requests_per_1_minute: 5_000 };
  for (const draft of [
    { project_id: project, model: "sandbox-echo", limits },
    { project_id: project, spend_limit: {} },
    { project_id: project, model: "sandbox-chat", reason: "To compare it with the other" },
    { permission: "api.usage.read" },
  ])
    await ask("POST", "/access_requests", draft, token);
}
