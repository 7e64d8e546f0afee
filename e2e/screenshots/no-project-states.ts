import { adminApi } from "../support/clients/admin-api";
import { createOrganizationClient } from "../support/clients/organization-client";
import { openAsMember } from "../support/pages/open-as-member";
import type { Gatehouse } from "../support/programs/start-gatehouse";
import type { State } from "./states";

const screens = [
  "",
  "playground",
  "keys",
  "rate-limits",
  "requests",
  "usage",
  "tasks",
  "batches",
  "projects",
];

/** The main screens of a member who lost their only role, and is in no project. */
export function listWithoutProject(gatehouse: Gatehouse): readonly State[] {
  return screens.map((screen) => ({
    name: `no-project-${screen || "overview"}`,
    address: "/account",
    reach: async (page) => {
      const email = `newcomer-${screen}-${Date.now()}@example.com`;
      const { token } = await openAsMember(page.context(), gatehouse, {
        email,
        name: "Nora",
        role: "reader",
      });
      const { body } = await createOrganizationClient(gatehouse.baseUrl)("GET", "/me", undefined, token);
      const { id } = body.user as { id: string };
      await adminApi(gatehouse).call("DELETE", `/users/${id}/roles/role_reader`);
      await page.goto(`${gatehouse.consoleUrl}/${screen}`);
      await page.locator("h1").first().waitFor();
    },
  }));
}
