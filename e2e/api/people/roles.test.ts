import { expect, test } from "bun:test";
import type OpenAI from "openai";
import {
  catchRefusal,
  collectAll,
  expectRefusals,
  officialClient,
} from "../../support/clients/official-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let roles: OpenAI["admin"]["organization"]["roles"];

serveForAll((served) => {
  gateway = served;
  roles = createClient(gateway.adminKey).admin.organization.roles;
});

function createClient(key: string): OpenAI {
  return officialClient(gateway.baseUrl, key);
}

test("the official SDK creates, lists, reads, changes and deletes a role", async () => {
  const created = await roles.create({
    role_name: "Support",
    description: "Answers questions.",
    permissions: ["api.models.read", "api.projects.read", "api.models.read"],
  });
  expect<object>(created).toEqual({
    object: "role",
    id: created.id,
    name: "Support",
    description: "Answers questions.",
    permissions: ["api.projects.read", "api.models.read"],
    resource_type: "api.organization",
    predefined_role: false,
    version: expect.any(String),
  });
  expect(created.id).toMatch(/^role_/);
  expect(await roles.retrieve(created.id)).toEqual(created);
  const changed = await roles.update(created.id, { role_name: "Help desk", description: null });
  expect<object>(changed).toEqual({
    ...created,
    name: "Help desk",
    description: null,
    version: expect.any(String),
  });
  const listed = await collectAll(roles.list({ limit: 2 }));
  expect(listed.map(({ name }) => name)).toEqual([
    "Owner",
    "Admin",
    "Finance",
    "Prompt tester",
    "Reader",
    "Directory",
    "Help desk",
  ]);
  expect(listed.filter((role) => role.predefined_role).length).toBe(6);
  expect(await roles.delete(created.id)).toEqual({ object: "role.deleted", id: created.id, deleted: true });
  expect((await catchRefusal(roles.retrieve(created.id))).status).toBe(404);
});

test("refuses an invalid role with the correction", async () => {
  const draft = { role_name: "Auditor", permissions: ["api.ledger.read"] };
  await roles.create(draft);
  const cases: [PromiseLike<unknown>, object][] = [
    [
      roles.create({ ...draft, role_name: "AUDITOR" }),
      { status: 409, type: "conflict_error", code: "already_exists", param: "role_name" },
    ],
    [roles.create({ ...draft, role_name: "reader" }), { status: 409, param: "role_name" }],
    [roles.create({ ...draft, role_name: "Own\u200ber" }), { status: 409, param: "role_name" }],
    [
      roles.create({ role_name: "Other", permissions: ["api.ledger.raed"] }),
      { status: 400, code: "unknown_permission", param: "permissions.0" },
    ],
    [roles.create({ role_name: "Other", permissions: [] }), { status: 400, param: "permissions" }],
    [
      roles.update("role_owner", { role_name: "Boss" }),
      { status: 403, type: "permission_error", code: "predefined_role" },
    ],
    [roles.delete("role_reader"), { status: 403, code: "predefined_role" }],
    [roles.delete("role_none"), { status: 404, type: "not_found_error", param: "role_id" }],
    [roles.update("role_project_owner", { role_name: "Boss" }), { status: 404 }],
    [roles.list({ after: "role_none" }), { status: 400, param: "after" }],
    [
      createClient("gk_admin_wrong").admin.organization.roles.list(),
      { status: 401, code: "invalid_api_key" },
    ],
    [createClient(gateway.key).admin.organization.roles.list(), { status: 403, code: "missing_permission" }],
  ];
  await expectRefusals(cases);
  const misspelt = await catchRefusal(roles.create({ role_name: "Other", permissions: ["api.ledger.raed"] }));
  expect(misspelt.message).toContain("did you mean api.ledger.read?");
});
