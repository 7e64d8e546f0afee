import { expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;

serveForAll((served) => {
  gateway = served;
  ask = createOrganizationClient(gateway.baseUrl);
});

const listSessions = async (token: string, path = "/me/sessions") =>
  (await ask("GET", path, undefined, token)).body.data as Record<string, unknown>[];

test("a member sees their sessions, and can end unknown ones", async () => {
  const { token } = await joinMember(gateway, "ada@example.com");
  gateway.pass(MINUTE_MS);
  const other = await send(`${gateway.baseUrl}/organization/sign_in`, {
    method: "POST",
    body: { email: "ada@example.com", password: PASSWORD },
    headers: { "user-agent": "Firefox on a phone" },
  });
  const [newest, oldest] = await listSessions(token);
  expect(newest).toMatchObject({ user_agent: "Firefox on a phone", current: false, last_used_at: null });
  const now = Math.floor(gateway.runtime.clock.nowMs() / 1000);
  expect(oldest).toMatchObject({ current: true, created_at: now - 60, last_used_at: now });
  expect((await ask("DELETE", `/me/sessions/${newest?.id}`, undefined, token)).status).toBe(200);
  expect((await ask("GET", "/me", undefined, String(other.body.token))).status).toBe(401);
  expect((await ask("DELETE", `/me/sessions/${newest?.id}`, undefined, token)).status).toBe(404);
  expect(await listSessions(token)).toHaveLength(1);
});

test("lets only managers of members with the same rights end another's session", async () => {
  const [ben, owner, admin] = [
    await joinMember(gateway, "ben@example.com"),
    await joinMember(gateway, "owner@example.com", { role: "owner" }),
    await joinMember(gateway, "admin@example.com", { role: "admin" }),
  ];
  const [session] = await listSessions(ben.token);
  const stolen = await ask("DELETE", `/me/sessions/${session?.id}`, undefined, admin.token);
  expect([stolen.status, stolen.error.code]).toEqual([404, "object_not_found"]);
  const [ownersSession] = await listSessions(admin.token, `/users/${owner.id}/sessions`);
  const above = await ask(
    "DELETE",
    `/users/${owner.id}/sessions/${ownersSession?.id}`,
    undefined,
    admin.token,
  );
  expect([above.status, above.error.code]).toEqual([403, "exceeds_own_permissions"]);
  const below = await ask("DELETE", `/users/${ben.id}/sessions/${session?.id}`, undefined, admin.token);
  expect(below.status).toBe(200);
  expect((await ask("GET", "/me", undefined, ben.token)).status).toBe(401);
});

test("a changed role counts in an open session at once, and a removed member's sessions are over", async () => {
  const { id, token } = await joinMember(gateway, "cyd@example.com");
  const listRoles = async () => (await ask("GET", "/roles", undefined, token)).status;
  expect(await listRoles()).toBe(200);
  await gateway.admin("POST", `/organization/users/${id}`, { role: "prompt_tester" });
  expect(await listRoles()).toBe(403);
  await ask("DELETE", `/users/${id}`, undefined, gateway.adminKey);
  expect(await listRoles()).toBe(401);
  const back = await ask("POST", "/sign_in", { email: "cyd@example.com", password: PASSWORD });
  expect(back.status).toBe(401);
  // The address is free again, and the new member is another.
  expect((await joinMember(gateway, "cyd@example.com")).id).not.toBe(id);
});

test("a token is worth nothing after its sign-out, and a session ends by itself after twelve hours", async () => {
  const { token } = await joinMember(gateway, "dan@example.com");
  const again = await ask("POST", "/sign_in", { email: "dan@example.com", password: PASSWORD });
  await ask("DELETE", "/sessions/current", undefined, token);
  expect((await ask("GET", "/me", undefined, token)).status).toBe(401);
  gateway.pass(12 * HOUR_MS);
  expect((await ask("GET", "/me", undefined, String(again.body.token))).status).toBe(401);
});

test("a key has sessions and no sign-in of its own", async () => {
  const opened = await ask("POST", "/sessions", { key: gateway.adminKey });
  const mine = await listSessions(gateway.adminKey);
  expect(mine.map(({ id }) => id)).toContain(opened.body.id);
  const refused = await ask("GET", "/me/sign_in", undefined, gateway.adminKey);
  expect([refused.status, refused.error.param]).toEqual([400, "authorization"]);
});
