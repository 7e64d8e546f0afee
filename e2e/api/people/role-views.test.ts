import { afterAll, beforeAll, expect, test } from "bun:test";
import { catchRefusal, officialClient } from "../../support/clients/official-client";
import { serveStaffedGateway } from "../../support/gateways/serve-staffed-gateway";

type Staffed = Awaited<ReturnType<typeof serveStaffedGateway>>;
let { gateway, client, as, members, projectId, other } = {} as Staffed;

beforeAll(async () => {
  ({ gateway, client, as, members, projectId, other } = await serveStaffedGateway());
});
afterAll(() => gateway.close());

type View = { header: { name: string; value: string }; permissions: string[] };
type Me = { permissions: string[]; project_permissions: { project_id: string; permissions: string[] }[] };

const view = (body: object, by = client) => by.post<View>("/organization/role_views", { body });

/** The official client, narrowed to a view. */
function viewing({ header }: View, key = gateway.adminKey) {
  return officialClient(gateway.baseUrl, key).withOptions({
    defaultHeaders: { [header.name]: header.value },
  });
}

test("a view sees what its role allows and no more, changes nothing, and is in the audit log", async () => {
  const begun = await view({ role_id: "role_finance" });
  const seen = viewing(begun);
  expect((await seen.get<Me>("/organization/me")).permissions.toSorted()).toEqual(
    begun.permissions.toSorted(),
  );
  await seen.get("/organization/ledger");
  expect(await catchRefusal(seen.get("/organization/groups"))).toMatchObject({
    status: 403,
    code: "missing_permission",
  });
  const limit = { currency: "USD", interval: "month", threshold_amount: 500 };
  const saving = seen.post("/organization/spend_limit", { body: limit });
  expect(await catchRefusal(saving)).toMatchObject({ status: 403, code: "viewing_as_role" });
  const log = await client.get<{ data: { type: string; changes: { id: string; object: string }[] }[] }>(
    "/organization/audit_logs?event_types[]=role.viewed",
  );
  expect(log.data.map(({ changes }) => changes[0])).toMatchObject([
    { object: "role_views", id: "role_finance" },
  ]);
});

test("an unsaved draft is viewed as it is typed", async () => {
  const { id } = await client.admin.organization.roles.create({
    role_name: "Drafted",
    permissions: ["api.models.read"],
  });
  const seen = viewing(await view({ role_id: id, permissions: ["api.groups.read"] }));
  await seen.get("/organization/groups");
  expect(await catchRefusal(seen.get("/organization/roles"))).toMatchObject({ status: 403 });
});

test("a view gives nobody what they don't hold, in no project", async () => {
  const lead = members.lead.token;
  const begun = await view({ role_id: "role_owner" });
  const me = await viewing(begun, lead).get<Me>("/organization/me");
  expect(me).toEqual(await as(lead).get<Me>("/organization/me"));
  expect(await catchRefusal(viewing(begun, lead).get("/organization/ledger"))).toMatchObject({ status: 403 });
  const reader = await view({ role_id: "role_prompt_tester" });
  const narrowed = await viewing(reader, lead).get<Me>("/organization/me");
  const [inProject] = narrowed.project_permissions;
  expect(inProject?.project_id).toBe(projectId);
  expect(inProject?.permissions.toSorted()).toEqual(reader.permissions.toSorted());
});

test("lists of several projects leave out what the role doesn't allow in them", async () => {
  const { id } = await client.admin.organization.roles.create({
    role_name: "No requests",
    permissions: ["api.projects.read"],
  });
  const seen = viewing(await view({ role_id: id }), members.lead.token);
  expect(await catchRefusal(seen.get("/organization/requests"))).toMatchObject({ status: 403 });
  const projects = await seen.get<{ data: { id: string }[] }>("/organization/projects");
  expect(projects.data.map((project) => project.id)).toEqual([projectId]);
  expect(projects.data.map((project) => project.id)).not.toContain(other);
});

test("a header that nobody wrote allows nothing", async () => {
  const seen = viewing({ header: { name: "gatehouse-role-view", value: "everything" }, permissions: [] });
  expect(await catchRefusal(seen.get("/organization/groups"))).toMatchObject({ status: 403 });
});
