import { describe, expect, test } from "bun:test";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;
let count = 0;

serveForAll((served) => {
  gateway = served;
  ask = createOrganizationClient(gateway.baseUrl);
});

const admin = <Reply = { id: string }>(path: string, body: object = {}) =>
  gateway.admin<Reply>("POST", `/organization${path}`, body);
const remove = (path: string) => ask("DELETE", path, undefined, gateway.adminKey);
const address = (name: string) => `${name}-${++count}@example.com`;

/** A role of the organization with these permissions. */
const createRole = (...permissions: string[]) =>
  admin("/roles", { role_name: `Role ${++count}`, permissions });

describe("a link for a new password", () => {
  const use = (token: unknown) => ask("POST", "/password_resets/use", { token, password: "third of horses" });

  /** A link that `maker` made for a new Reader. */
  async function linkBy(maker: string) {
    const member = await joinMember(gateway, address("reader"));
    const { body } = await ask("POST", `/users/${member.id}/password_resets`, {}, maker);
    return { member, token: body.token };
  }

  async function expectDead(token: unknown) {
    expect((await use(token)).error.code).toBe("invalid_password_reset");
  }

  test("works as long as no permissions have changed", async () => {
    const maker = await joinMember(gateway, address("admin"), { role: "admin" });
    expect((await use((await linkBy(maker.token)).token)).status).toBe(200);
  });

  test("made by an Admin for a Reader doesn't open the Owner that they became", async () => {
    const maker = await joinMember(gateway, address("admin"), { role: "admin" });
    const { member, token } = await linkBy(maker.token);
    await admin(`/users/${member.id}`, { role: "owner" });
    await expectDead(token);
  });

  test("ends with any change of its member's roles, even a reverted one", async () => {
    const changes: ((userId: string) => Promise<unknown>)[] = [
      async (user_id) => {
        const path = `/users/${user_id}/roles`;
        await admin(path, { role_id: "role_finance" });
        await remove(`${path}/role_finance`);
      },
      async (user_id) => {
        const group = await admin("/groups", { name: `Group ${++count}` });
        await admin(`/groups/${group.id}/users`, { user_id });
        await remove(`/groups/${group.id}/users/${user_id}`);
      },
      (user_id) => admin(`/projects/${gateway.projectId}/users`, { user_id, role: "owner" }),
    ];
    for (const change of changes) {
      const { member, token } = await linkBy(gateway.adminKey);
      await change(member.id);
      await expectDead(token);
    }
  });

  test("dies when a role that its member holds is changed, directly or in a group", async () => {
    const role = await createRole("api.models.read");
    const group = await admin("/groups", { name: `Group ${++count}` });
    await admin(`/groups/${group.id}/roles`, { role_id: role.id });
    const [direct, grouped] = [
      await joinMember(gateway, address("a")),
      await joinMember(gateway, address("b")),
    ];
    await admin(`/users/${direct.id}/roles`, { role_id: role.id });
    await admin(`/groups/${group.id}/users`, { user_id: grouped.id });
    const links = await Promise.all(
      [direct, grouped].map(({ id }) => admin<{ token: string }>(`/users/${id}/password_resets`)),
    );
    await admin(`/roles/${role.id}`, { permissions: ["api.models.read", "api.roles.read"] });
    for (const { token } of links) await expectDead(token);
  });

  test("dies with its maker's rights: another role, removed, revoked, expired", async () => {
    const maker = await joinMember(gateway, address("admin"), { role: "admin" });
    const demoted = await linkBy(maker.token);
    await admin(`/users/${maker.id}`, { role: "reader" });
    await admin(`/users/${maker.id}`, { role: "admin" });
    await expectDead(demoted.token);

    const removed = await linkBy(maker.token);
    await remove(`/users/${maker.id}`);
    await expectDead(removed.token);

    const createKey = (expires_in_seconds?: number) =>
      admin<{ id: string; value: string }>("/admin_api_keys", { name: "Key", expires_in_seconds });
    const [revoked, expiring] = [await createKey(), await createKey(600)];
    const [byRevoked, byExpiring] = [await linkBy(revoked.value), await linkBy(expiring.value)];
    await remove(`/admin_api_keys/${revoked.id}`);
    gateway.pass(600_000);
    await expectDead(byRevoked.token);
    await expectDead(byExpiring.token);
  });

  test("sets no password after a promotion, also where that comes while it is being used", async () => {
    const { member, token } = await linkBy(gateway.adminKey);
    const [used] = await Promise.all([use(token), admin(`/users/${member.id}`, { role: "owner" })]);
    const log = await ask("GET", "/audit_logs?limit=20", undefined, gateway.adminKey);
    const types = (log.body.data as { type: string }[]).map(({ type }) => type);
    const [promoted, set] = [types.indexOf("user.updated"), types.indexOf("user.password.updated")];
    expect(promoted).toBeGreaterThanOrEqual(0);
    // Newest first: the password is older than the promotion, or was never set.
    if (used.status === 200) expect(promoted).toBeLessThan(set);
    else expect([used.status, used.error.code]).toEqual([400, "invalid_password_reset"]);
  });
});

describe("an invitation", () => {
  const accept = (token: unknown) =>
    ask("POST", "/invites/accept", { token, name: "New", password: PASSWORD });

  async function invitedBy(inviter: string, role = "reader") {
    const { body } = await ask("POST", "/invites", { email: address("new"), role, projects: [] }, inviter);
    return String(body.token);
  }

  async function expectDead(token: string) {
    for (const reply of [await ask("POST", "/invites/preview", { token }), await accept(token)]) {
      expect([reply.status, reply.error.code]).toEqual([400, "invalid_invite"]);
    }
  }

  test("is accepted only while its inviter may invite", async () => {
    const inviter = await joinMember(gateway, address("admin"), { role: "admin" });
    const [one, two] = [await invitedBy(inviter.token), await invitedBy(inviter.token)];
    await admin(`/users/${inviter.id}`, { role: "reader" });
    await expectDead(one);
    await admin(`/users/${inviter.id}`, { role: "admin" });
    expect((await accept(one)).status).toBe(200);
    await remove(`/users/${inviter.id}`);
    await expectDead(two);
    const key = await admin<{ id: string; value: string }>("/admin_api_keys", { name: "Key" });
    const byKey = await invitedBy(key.value);
    await gateway.restart();
    await remove(`/admin_api_keys/${key.id}`);
    await expectDead(byKey);
  });

  test("to a role that has since become stronger than its inviter is dead", async () => {
    const role = await createRole("api.models.read");
    const inviter = await joinMember(gateway, address("admin"), { role: "admin" });
    const token = await invitedBy(inviter.token, role.id);
    await admin(`/roles/${role.id}`, { permissions: ["api.models.read", "api.payments.write"] });
    await expectDead(token);
  });

  test("that carries more than one holds is not withdrawn", async () => {
    const caller = await joinMember(gateway, address("admin"), { role: "admin" });
    const invite = await admin("/invites", { email: address("owner"), role: "owner", projects: [] });
    const refused = await ask("DELETE", `/invites/${invite.id}`, undefined, caller.token);
    expect([refused.status, refused.error.code]).toEqual([403, "exceeds_own_permissions"]);
    expect((await remove(`/invites/${invite.id}`)).status).toBe(200);
  });
});

test("refuses to rename, change or delete an object with more permissions than the caller", async () => {
  const strong = await createRole("api.models.read", "api.payments.write");
  const path = `/projects/${gateway.projectId}`;
  const robot = await admin(`${path}/service_accounts`, { name: "Robot" });
  const robots = await admin<{ id: string }>(`${path}/service_accounts/${robot.id}/api_keys`, {});
  const own = await createRole("api.roles.write", "api.service_accounts.write", "api.project_api_keys.write");
  const { value } = await admin<{ value: string }>("/admin_api_keys", { name: "Weak", role: own.id });
  const tries: [Parameters<typeof ask>[0], string, object?][] = [
    ["DELETE", `/roles/${strong.id}`],
    ["POST", `/roles/${strong.id}`, { role_name: "Mine" }],
    ["POST", `/roles/${strong.id}`, { permissions: ["api.roles.write"] }],
    ["DELETE", `${path}/service_accounts/${robot.id}`],
    ["DELETE", `${path}/api_keys/${robots.id}`],
  ];
  for (const [method, to, body] of tries) {
    const refused = await ask(method, to, body, value);
    expect([to, refused.status, refused.error.code]).toEqual([to, 403, "exceeds_own_permissions"]);
  }
  const preview = await ask("POST", `/roles/${strong.id}/preview`, { role_name: "Mine" }, gateway.adminKey);
  expect(preview.body.refusal).toBeNull();
  expect((await remove(`/roles/${strong.id}`)).status).toBe(200);
});
