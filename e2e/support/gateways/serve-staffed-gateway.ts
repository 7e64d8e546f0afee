import { officialClient } from "../clients/official-client";
import { createMember } from "../stored-data/create-member";
import { serveGateway } from "./serve-gateway";

/** A served gateway with a second project, a group, a member who owns the first project, and two without roles. */
export async function serveStaffedGateway() {
  const gateway = await serveGateway();
  const as = (key: string) => officialClient(gateway.baseUrl, key);
  const client = as(gateway.adminKey);
  const { dataFolder, runtime, projectId } = gateway;
  gateway.pass(1);
  const other = (await client.admin.organization.projects.create({ name: "Other" })).id;
  const groupId = (await client.admin.organization.groups.create({ name: "Team" })).id;
  let members = { lead: { id: "", token: "" }, ada: { id: "", token: "" }, ben: { id: "", token: "" } };
  await gateway.restart(async () => {
    const lead = await createMember(
      dataFolder,
      "lead",
      [{ roleId: "role_project_owner", projectId }],
      runtime,
    );
    gateway.pass(1);
    const ada = await createMember(dataFolder, "ada", [], runtime);
    const ben = await createMember(dataFolder, "ben", [], runtime);
    members = { lead, ada, ben };
  });
  return { gateway, client, as, projectId, other, groupId, members };
}
