import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { computeOneTimeCode } from "../../support/clients/one-time-code";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;

serveForAll((served) => {
  gateway = served;
  ask = createOrganizationClient(gateway.baseUrl);
});

const codeOf = (uri: string, halfMinutes = 0) =>
  computeOneTimeCode(uri, halfMinutes, gateway.runtime.clock.nowMs());
const signIn = (email: string, password = PASSWORD) => ask("POST", "/sign_in", { email, password });
const isIn = async (token: string) => (await ask("GET", "/me", undefined, token)).status === 200;

describe("an invitation", () => {
  test("shows whom it invites, makes them a member with its roles, and works once", async () => {
    const draft = {
      email: "Ada@example.com",
      role: "finance",
      projects: [{ id: gateway.projectId, role: "member" }],
    };
    const { token } = await gateway.admin<{ token: string }>("POST", "/organization/invites", draft);
    expect((await ask("POST", "/invites/preview", { token })).body).toMatchObject({
      email: "ada@example.com",
      role: "Finance",
    });
    const weak = await ask("POST", "/invites/accept", { token, name: "Ada", password: "ada@example.com1" });
    expect([weak.status, weak.error.param]).toEqual([400, "password"]);
    const accepted = await ask("POST", "/invites/accept", { token, name: "Ada", password: PASSWORD });
    expect(accepted.status).toBe(200);
    const me = (await ask("GET", "/me", undefined, String(accepted.body.token))).body;
    expect(me).toMatchObject({
      name: "Ada",
      roles: [{ id: "role_finance" }],
      user: { email: "ada@example.com" },
    });
    expect(me.project_permissions).toMatchObject([{ project_id: gateway.projectId }]);
    const again = await ask("POST", "/invites/accept", { token, name: "Eve", password: PASSWORD });
    expect([again.status, again.error.code]).toEqual([400, "invalid_invite"]);
    expect((await ask("POST", "/invites/preview", { token })).error.code).toBe("invalid_invite");
  });

  test("into a project that was archived since leads into the organization alone", async () => {
    const project = await gateway.admin<{ id: string }>("POST", "/organization/projects", {
      name: "Soon gone",
    });
    const draft = {
      email: "late@example.com",
      role: "reader",
      projects: [{ id: project.id, role: "member" }],
    };
    const { token } = await gateway.admin<{ token: string }>("POST", "/organization/invites", draft);
    await gateway.admin("POST", `/organization/projects/${project.id}/archive`);
    const accepted = await ask("POST", "/invites/accept", { token, name: "Late", password: PASSWORD });
    const me = (await ask("GET", "/me", undefined, String(accepted.body.token))).body;
    expect(me).toMatchObject({ roles: [{ id: "role_reader" }] });
  });
});

describe("a password", () => {
  test("signs in, whatever the case of the address, and outlives a restart", async () => {
    await joinMember(gateway, "ben@example.com");
    const { status, body } = await signIn("Ben@Example.com");
    expect(status).toBe(200);
    await gateway.restart();
    expect(await isIn(String(body.token))).toBe(true);
    expect((await signIn("ben@example.com")).status).toBe(200);
  });

  test("that is wrong is refused in the same words as an unknown address", async () => {
    const wrong = await signIn("ben@example.com", "not my password");
    const unknown = await signIn("nobody@example.com", "not my password");
    expect([wrong.status, wrong.error.code]).toEqual([401, "invalid_credentials"]);
    expect([unknown.status, unknown.error.message]).toEqual([401, wrong.error.message]);
  });

  test("opens a session of its own each time, whatever token came along", async () => {
    const first = String((await signIn("ben@example.com")).body.token);
    const draft = { email: "ben@example.com", password: PASSWORD };
    const second = String((await ask("POST", "/sign_in", draft, first)).body.token);
    const planted = await ask("POST", "/sign_in", draft, "gs_planted-by-somebody-else");
    expect(new Set([first, second, String(planted.body.token)]).size).toBe(3);
    expect(await isIn("gs_planted-by-somebody-else")).toBe(false);
  });

  test("that is changed ends all other sessions, and only the new one signs in", async () => {
    const { token } = await joinMember(gateway, "dan@example.com");
    const other = String((await signIn("dan@example.com")).body.token);
    const wrong = { current_password: "not it at all", password: "another horse" };
    expect((await ask("POST", "/me/password", wrong, token)).error).toMatchObject({
      param: "current_password",
    });
    expect(await isIn(other)).toBe(true);
    const change = { current_password: PASSWORD, password: "another horse" };
    expect((await ask("POST", "/me/password", change, token)).status).toBe(200);
    expect([await isIn(token), await isIn(other)]).toEqual([true, false]);
    expect((await signIn("dan@example.com")).status).toBe(401);
    expect((await signIn("dan@example.com", "another horse")).status).toBe(200);
  });
});

describe("a forgotten password", () => {
  const createReset = (id: string) =>
    gateway.admin<{ token: string }>("POST", `/organization/users/${id}/password_resets`, {});
  const use = (token: string, password: string) => ask("POST", "/password_resets/use", { token, password });

  test("is replaced by an administrator's link, once, and every session ends", async () => {
    const member = await joinMember(gateway, "fay@example.com");
    const { token } = await createReset(member.id);
    expect((await use(token, "fay@example.com")).error.param).toBe("password");
    expect((await use(token, "third of horses")).body).toMatchObject({ email: "fay@example.com" });
    expect(await isIn(member.token)).toBe(false);
    expect((await use(token, "fourth of horses")).error.code).toBe("invalid_password_reset");
    expect((await signIn("fay@example.com", "third of horses")).status).toBe(200);
  });

  test("has one link at a time, for an hour", async () => {
    const { id } = await joinMember(gateway, "gus@example.com");
    const [first, second] = [await createReset(id), await createReset(id)];
    expect((await use(first.token, "third of horses")).error.code).toBe("invalid_password_reset");
    gateway.pass(HOUR_MS);
    expect((await use(second.token, "third of horses")).error.code).toBe("invalid_password_reset");
  });

  test("of a member with more permissions can't be reset, and no mail is promised without a mail server", async () => {
    const owner = await joinMember(gateway, "owner@example.com", { role: "owner" });
    const admin = await joinMember(gateway, "admin@example.com", { role: "admin" });
    const refused = await ask("POST", `/users/${owner.id}/password_resets`, {}, admin.token);
    expect([refused.status, refused.error.code]).toEqual([403, "exceeds_own_permissions"]);
    const mail = await ask("POST", "/password_resets", { email: "ben@example.com" });
    expect([mail.status, mail.error.code]).toEqual([400, "not_configured"]);
  });
});

describe("two-factor sign-in", () => {
  test("asks for the app's code from its confirmation on; a code and a backup code count once", async () => {
    const member = await joinMember(gateway, "hal@example.com");
    const other = String((await signIn("hal@example.com")).body.token);
    const settings = () => ask("GET", "/me/sign_in", undefined, member.token);
    const wrong = await ask("POST", "/me/two_factor", { password: "not it at all" }, member.token);
    expect([wrong.status, wrong.error.param]).toEqual([400, "password"]);
    const draft = (await ask("POST", "/me/two_factor", { password: PASSWORD }, member.token)).body;
    const uri = String(draft.otpauth_uri);
    expect((await settings()).body).toMatchObject({ two_factor: false, backup_codes_left: null });
    expect((await signIn("hal@example.com")).body.object).toBe("organization.session");

    const no = await ask("POST", "/me/two_factor/confirm", { code: codeOf(uri, -20) }, member.token);
    expect([no.status, no.error.code]).toEqual([400, "invalid_code"]);
    const code = codeOf(uri);
    const confirmed = await ask("POST", "/me/two_factor/confirm", { code }, member.token);
    expect(confirmed.body).toMatchObject({ two_factor: true, backup_codes_left: 10 });
    expect([await isIn(member.token), await isIn(other)]).toEqual([true, false]);

    const challenged = await signIn("hal@example.com");
    expect(challenged.body.object).toBe("organization.sign_in_challenge");
    const { challenge } = challenged.body;
    const answer = (given: string) => ask("POST", "/sign_in/challenge", { challenge, code: given });
    expect((await answer(code)).error.code).toBe("invalid_code");
    await gateway.restart();
    const entered = await answer(codeOf(uri, 1));
    expect(await isIn(String(entered.body.token))).toBe(true);
    expect((await answer(codeOf(uri, 1))).error.code).toBe("invalid_challenge");

    const [backup] = draft.backup_codes as string[];
    const second = (await signIn("hal@example.com")).body.challenge;
    const spend = (given: unknown) => ask("POST", "/sign_in/challenge", { challenge: given, code: backup });
    expect((await spend(second)).status).toBe(200);
    expect((await settings()).body).toMatchObject({ backup_codes_left: 9 });
    const third = (await signIn("hal@example.com")).body.challenge;
    expect((await spend(third)).error.code).toBe("invalid_code");
  });

  test("lets one code open one session, also at once", async () => {
    const { token } = await joinMember(gateway, "kim@example.com");
    const draft = (await ask("POST", "/me/two_factor", { password: PASSWORD }, token)).body;
    const uri = String(draft.otpauth_uri);
    await ask("POST", "/me/two_factor/confirm", { code: codeOf(uri) }, token);
    const [backup] = draft.backup_codes as string[];
    for (const code of [codeOf(uri, 1), backup]) {
      const challenges: unknown[] = [];
      for (let n = 0; n < 4; n++) challenges.push((await signIn("kim@example.com")).body.challenge);
      const request = (challenge: unknown) =>
        new Request(`${gateway.baseUrl}/organization/sign_in/challenge`, {
          method: "POST",
          body: JSON.stringify({ challenge, code }),
        });
      // In one tick, so that each is checked before the first one is answered.
      const replies = await Promise.all(challenges.map((one) => gateway.answer(request(one))));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
      gateway.pass(DAY_MS);
    }
  });

  test("gives a challenge ten minutes", async () => {
    const { challenge } = (await signIn("hal@example.com")).body;
    const answer = async (given: unknown) =>
      (await ask("POST", "/sign_in/challenge", { challenge: given, code: "000000" })).error.code;
    expect(await answer(challenge)).toBe("invalid_code");
    expect(await answer(`${String(challenge).slice(0, -2)}AA`)).toBe("invalid_challenge");
    expect(await answer("gc_none")).toBe("invalid_challenge");
    gateway.pass(10 * MINUTE_MS);
    expect(await answer(challenge)).toBe("invalid_challenge");
  });

  test("is turned off with the member's password, or by an administrator if the app is lost", async () => {
    const member = await joinMember(gateway, "ida@example.com");
    const turnOn = async () => {
      const draft = (await ask("POST", "/me/two_factor", { password: PASSWORD }, member.token)).body;
      const code = codeOf(String(draft.otpauth_uri));
      expect((await ask("POST", "/me/two_factor/confirm", { code }, member.token)).status).toBe(200);
    };
    await turnOn();
    const twice = await ask("POST", "/me/two_factor", { password: PASSWORD }, member.token);
    expect(twice.status).toBe(409);
    const off = await ask("POST", "/me/two_factor/end", { password: PASSWORD }, member.token);
    expect(off.body).toMatchObject({ two_factor: false });
    await turnOn();
    const path = `/users/${member.id}/two_factor`;
    expect((await ask("DELETE", path, undefined, gateway.adminKey)).status).toBe(200);
    expect((await ask("DELETE", path, undefined, gateway.adminKey)).status).toBe(404);
    expect((await signIn("ida@example.com")).body.object).toBe("organization.session");
  });
});
