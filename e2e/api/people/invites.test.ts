import { expect, test } from "bun:test";
import type OpenAI from "openai";
import { DAY_MS, DAY_S } from "@/lib/contract/durations";
import {
  catchRefusal,
  collectAll,
  expectRefusals,
  officialClient,
} from "../../support/clients/official-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";

let gateway: ServedGateway;
let invites: OpenAI["admin"]["organization"]["invites"];

serveForAll((served) => {
  gateway = served;
  invites = createClient(gateway.adminKey).invites;
});

function createClient(key: string) {
  return officialClient(gateway.baseUrl, key).admin.organization;
}

const readToken = (created: object) => ("token" in created ? String(created.token) : "");

test("an invitation carries role and projects, is listed without its token, and is withdrawn", async () => {
  const first = await invites.create({ email: "Ada@example.com", role: "reader" });
  const created: OpenAI.Admin.Organization.Invite & { token?: undefined } = { ...first, token: undefined };
  expect<object>(created).toEqual({
    object: "organization.invite",
    id: created.id,
    email: "ada@example.com",
    role: "reader",
    status: "pending",
    created_at: created.created_at,
    expires_at: created.created_at + 7 * DAY_S,
    accepted_at: null,
    groups: [],
    projects: [{ id: gateway.projectId, role: "member" }],
    version: expect.any(String),
  });
  expect(await invites.retrieve(created.id)).toEqual(created);
  gateway.pass(1);
  const second = await invites.create({
    email: "bo@example.com",
    role: "owner",
    projects: [{ id: gateway.projectId, role: "owner" }],
  });
  expect(second.projects).toEqual([{ id: gateway.projectId, role: "owner" }]);
  expect(readToken(second)).toMatch(/^gi_.{43}$/);
  const listed = await collectAll(invites.list({ limit: 1 }));
  expect(listed.map(({ email }) => email)).toEqual(["bo@example.com", "ada@example.com"]);
  expect(JSON.stringify(listed)).not.toContain(readToken(second));
  expect(await invites.delete(created.id)).toEqual({
    object: "organization.invite.deleted",
    id: created.id,
    deleted: true,
  });
  expect(await catchRefusal(invites.retrieve(created.id))).toMatchObject({ status: 404, param: "invite_id" });
  await invites.create({ email: "ada@example.com", role: "reader", projects: [] });
});

test("an invitation is pending until it is accepted or has expired", async () => {
  const [eve, max] = [
    await invites.create({ email: "eve@example.com", role: "reader" }),
    await invites.create({ email: "max@example.com", role: "reader" }),
  ];
  const again = { email: "MAX@example.com", role: "reader" as const };
  expect(await catchRefusal(invites.create(again))).toMatchObject({
    status: 409,
    code: "already_exists",
    param: "email",
  });
  const accepted = { token: readToken(eve), name: "Eve", password: "a horse of wood" };
  await gateway.admin("POST", "/organization/invites/accept", accepted);
  gateway.pass(7 * DAY_MS);
  expect(await invites.retrieve(eve.id)).toMatchObject({ status: "accepted" });
  expect(await invites.retrieve(max.id)).toMatchObject({ status: "expired", accepted_at: null });
  expect(await catchRefusal(invites.delete(eve.id))).toMatchObject({ status: 409, code: "invite_accepted" });
  expect(await invites.create(again)).toMatchObject({ status: "pending" });
  await invites.delete(max.id);
});

test("refuses invalid invitations with the reason", async () => {
  const archived = await createClient(gateway.adminKey).projects.create({ name: "Archived" });
  await createClient(gateway.adminKey).projects.archive(archived.id);
  const draft = { role: "admin" } as const;
  const { value } = await createClient(gateway.adminKey).adminAPIKeys.create({ name: "Admin", ...draft });
  const email = "new@example.com";
  const into = (id: string, role: "member" | "owner" = "member") => ({
    email,
    role: "reader" as const,
    projects: [{ id, role }],
  });
  const cases: [PromiseLike<unknown>, object][] = [
    [invites.create({ email: "nobody", role: "reader" }), { status: 400, param: "email" }],
    [invites.create({ email, role: "king" as never }), { status: 404, param: "role" }],
    [invites.create({ email, role: "role_project_owner" as never }), { status: 404, param: "role" }],
    [invites.create(into("proj_none")), { status: 404, param: "projects.0.id" }],
    [invites.create(into(archived.id)), { status: 409, code: "project_archived", param: "projects.0.id" }],
    [invites.create(into(gateway.projectId, "king" as never)), { status: 404, param: "projects.0.role" }],
    [
      invites.create({
        ...into(gateway.projectId),
        projects: [into("a"), into("a")].flatMap((i) => i.projects),
      }),
      { status: 400, param: "projects" },
    ],
    [createClient("gk_admin_no").invites.list(), { status: 401 }],
    [createClient(gateway.key).invites.list(), { status: 403, code: "missing_permission" }],
    [
      createClient(value).invites.create({ email, role: "owner" }),
      { status: 403, code: "exceeds_own_permissions", error: { permission: "api.payments.write" } },
    ],
    [invites.delete("invite_none"), { status: 404, param: "invite_id" }],
    [invites.list({ after: "invite_none" }), { status: 400, param: "after" }],
  ];
  await expectRefusals(cases);
  expect((await collectAll(invites.list())).map((invite) => invite.email)).not.toContain(email);
});

test("a role that an open invitation carries is not deleted", async () => {
  const { roles } = createClient(gateway.adminKey);
  const role = await roles.create({ role_name: "Promised", permissions: ["api.models.read"] });
  const invite = await invites.create({ email: "pat@example.com", role: role.id as never, projects: [] });
  expect(invite).toMatchObject({ role: role.id, projects: [] });
  expect(await catchRefusal(roles.delete(role.id))).toMatchObject({ status: 409, code: "in_use" });
  await invites.delete(invite.id);
  expect(await roles.delete(role.id)).toMatchObject({ deleted: true });
});

test("a member can't be invited again", async () => {
  await gateway.restart(async () => {
    await createMember(gateway.dataFolder, "mia");
  });
  const again = invites.create({ email: "Mia@example.com", role: "reader" });
  expect(await catchRefusal(again)).toMatchObject({ status: 409, code: "already_exists", param: "email" });
});
