import { expect, test } from "bun:test";
import { auditEvents } from "@/lib/contract/access/audit-events";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { computeOneTimeCode } from "../../support/clients/one-time-code";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { ownProofs } from "../../support/operations/every-change";
import { readStored } from "../../support/stored-data/query-database";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;
let member: { id: string; token: string };

serveForAll(
  (served) => {
    gateway = served;
    ask = createOrganizationClient(gateway.baseUrl);
  },
  { isExamined: true },
);

const codeOf = (uri: string, halfMinutes = 0) =>
  computeOneTimeCode(uri, halfMinutes, gateway.runtime.clock.nowMs());

async function events(): Promise<AuditLog[]> {
  const { body } = await ask("GET", "/audit_logs?limit=100", undefined, gateway.adminKey);
  return body.data as AuditLog[];
}

/** The types of the events that this work leaves, oldest first, and the last event. */
async function leftBy(work: () => Promise<unknown>) {
  const before = (await events()).length;
  gateway.pass(1_000);
  await work();
  return findSince(before);
}

/** The same of a failed sign-in, whose reply doesn't wait for its event. */
async function leftByFailed(work: () => Promise<unknown>) {
  const before = (await events()).length;
  await work();
  await until("its event is in the log", async () => (await events()).length > before);
  return findSince(before);
}

async function findSince(before: number) {
  const after = await events();
  const left = after.slice(0, after.length - before).toReversed();
  return { types: left.map(({ type }) => type), last: left.at(-1) };
}

test("joining is one event, with the new member as its actor", async () => {
  const { types, last } = await leftBy(async () => {
    member = await joinMember(gateway, "ada@example.com");
  });
  expect(types).toEqual(["invite.sent", "invite.accepted", "login.succeeded"]);
  expect(last?.actor).toMatchObject({ type: "session", session: { user: { email: "ada@example.com" } } });
});

test("sign-ins are recorded; failed ones only for a member's address", async () => {
  const signIn = (email: string, password: string) => ask("POST", "/sign_in", { email, password });
  const right = await leftBy(() => signIn("ada@example.com", PASSWORD));
  expect(right.types).toEqual(["login.succeeded"]);
  const wrong = await leftByFailed(() => signIn("ada@example.com", "wrong password"));
  expect(wrong.types).toEqual(["login.failed"]);
  expect(JSON.stringify(wrong.last)).toContain(member.id);
  expect((await leftBy(() => signIn("nobody@example.com", "wrong password"))).types).toEqual([]);
});

test("a list without sign-ins goes on to the changes before them", async () => {
  for (let times = 0; times < 3; times++)
    await ask("POST", "/sign_in", { email: "ada@example.com", password: PASSWORD });
  const { body } = await ask("GET", "/audit_logs?sign_ins=false&limit=2", undefined, gateway.adminKey);
  const changes = (await events()).filter(({ type }) => !/^(login|logout)\./.test(type));
  expect(body.data).toEqual(changes.slice(0, 2));
  expect(body.has_more).toBe(changes.length > 2);
  const { body: all } = await ask("GET", "/audit_logs?sign_ins=true&limit=1", undefined, gateway.adminKey);
  expect(all.data).toMatchObject([{ type: "login.succeeded" }]);
});

test("each change of a sign-in is recorded, without its secrets", async () => {
  const { id, token } = member;
  const secrets = [PASSWORD, "second of horses"];
  const change = { current_password: PASSWORD, password: "second of horses" };
  expect((await leftBy(() => ask("POST", "/me/password", change, token))).types).toContain(
    "user.password.updated",
  );
  const password = "second of horses";
  let uri = "";
  const draft = await leftBy(async () => {
    const { body } = await ask("POST", "/me/two_factor", { password }, token);
    uri = String(body.otpauth_uri);
    secrets.push(new URL(uri).searchParams.get("secret") ?? "", ...(body.backup_codes as string[]));
  });
  expect(draft.types).toEqual(["user.two_factor.drafted"]);
  const confirm = () => ask("POST", "/me/two_factor/confirm", { code: codeOf(uri) }, token);
  expect((await leftBy(confirm)).types).toContain("user.two_factor.enabled");
  const { challenge } = (await ask("POST", "/sign_in", { email: "ada@example.com", password })).body;
  const answer = (code: string) => ask("POST", "/sign_in/challenge", { challenge, code });
  expect((await leftByFailed(() => answer("000000"))).types).toEqual(["login.failed"]);
  expect((await leftBy(() => answer(codeOf(uri, 1)))).types).toEqual(["login.succeeded"]);
  const end = await leftBy(() => ask("POST", "/me/two_factor/end", { password }, token));
  expect(end.types).toEqual(["user.two_factor.deleted"]);
  const reset = await leftBy(async () => {
    const { body } = await ask("POST", `/users/${id}/password_resets`, {}, gateway.adminKey);
    secrets.push(String(body.token));
    await ask("POST", "/password_resets/use", { token: body.token, password: "third of horses" });
  });
  expect(new Set(reset.types)).toEqual(new Set(["user.password_reset.created", "user.password.updated"]));
  const stored = await readStored(gateway);
  for (const secret of secrets) expect(stored.includes(secret)).toBe(false);
});

test("the events named here are those of people's own proofs", () => {
  const types = new Set(ownProofs.map((id) => auditEvents[id]));
  expect([...types].toSorted()).toEqual([
    "invite.accepted",
    "login.succeeded",
    "user.password.updated",
    "user.password_reset.created",
    "user.sessions.ended",
    "user.single_sign_on.linked",
    "user.single_sign_on.unlinked",
    "user.two_factor.deleted",
    "user.two_factor.drafted",
    "user.two_factor.enabled",
  ]);
});
