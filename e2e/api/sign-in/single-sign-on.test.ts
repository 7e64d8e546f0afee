import { afterAll, beforeAll, expect, test } from "bun:test";
import { MINUTE_MS } from "@/lib/contract/durations";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { serveGateway } from "../../support/gateways/serve-gateway";
import { ANSWER_ADDRESS, serveSingleSignOn } from "../../support/gateways/serve-single-sign-on";
import type { Person } from "../../support/servers/openid-provider";

const people: Record<string, Person> = {
  ada: { email: "Ada@example.com", email_verified: true, name: "Ada" },
  ben: { email: "ben@example.com", email_verified: true, name: "Ben Invited" },
  stranger: { email: "stranger@example.com", email_verified: true, name: "Stranger" },
};

type Served = Awaited<ReturnType<typeof serveSingleSignOn>>;
let { gateway, provider, ask, start, finish, answerFor, who, close } = {} as Served;

beforeAll(async () => {
  ({ gateway, provider, ask, start, finish, answerFor, who, close } = await serveSingleSignOn(people));
});
afterAll(() => close());

test("the provider is offered, and asked with PKCE and a nonce", async () => {
  const methods = await ask("GET", "/sign_in_methods");
  expect(methods.body.single_sign_on).toEqual({ name: "Example login" });
  const { searchParams } = new URL((await start()).url);
  expect(searchParams.get("redirect_uri")).toBe(ANSWER_ADDRESS);
  expect(searchParams.get("code_challenge_method")).toBe("S256");
  expect(searchParams.get("nonce")).toBeTruthy();
  expect(searchParams.get("scope")?.split(" ")).toContain("openid");
});

test("a member signs in by the address the provider vouches for, again and again", async () => {
  const ada = await joinMember(gateway, "ada@example.com", { role: "finance" });
  for (const _ of [1, 2]) {
    const { status, body } = await finish(await answerFor("ada"));
    expect(status).toBe(200);
    expect(await who(body.token)).toMatchObject({ user: { id: ada.id }, roles: [{ id: "role_finance" }] });
  }
  const settings = await ask("GET", "/me/sign_in", undefined, ada.token);
  expect(settings.body).toMatchObject({ password: true, single_sign_on: true });
});

test("a person invited under the address becomes a member; a stranger does not", async () => {
  const draft = { email: "ben@example.com", role: "reader", projects: [] };
  const invite = await gateway.admin<{ id: string }>("POST", "/organization/invites", draft);
  const { body } = await finish(await answerFor("ben"));
  expect(await who(body.token)).toMatchObject({ name: "Ben Invited", user: { email: "ben@example.com" } });
  const accepted = await ask("GET", `/invites/${invite.id}`, undefined, gateway.adminKey);
  expect(accepted.body.status).toBe("accepted");
  const refused = await finish(await answerFor("stranger"));
  expect([refused.status, refused.error.code]).toEqual([401, "sign_in_failed"]);
});

test("an address that the provider has not verified signs nobody in, however that is expressed", async () => {
  await joinMember(gateway, "dot@example.com");
  const draft = { email: "new@example.com", role: "reader", projects: [] };
  await gateway.admin("POST", "/organization/invites", draft);
  for (const email of ["dot@example.com", "new@example.com"]) {
    for (const verified of [false, "false", "true", 1, 0, null, undefined, [], {}]) {
      people.doubted = {
        email,
        ...(verified !== undefined && { email_verified: verified }),
        name: "Doubted",
      };
      expect([verified, (await finish(await answerFor("doubted"))).error.code]).toEqual([
        verified,
        "sign_in_failed",
      ]);
    }
  }
});

test("an identity stays its member's, whatever the provider says of its address later", async () => {
  const eve = await joinMember(gateway, "eve@example.com");
  const other = await joinMember(gateway, "other@example.com");
  people.eve = { email: "eve@example.com", email_verified: true, name: "Eve" };
  const first = await finish(await answerFor("eve"));
  expect(await who(first.body.token)).toMatchObject({ user: { id: eve.id } });
  for (const changed of [
    { email: "other@example.com", email_verified: true },
    { email_verified: "false" },
    {},
  ]) {
    people.eve = { ...changed, name: "Eve" };
    const later = await finish(await answerFor("eve"));
    expect(await who(later.body.token)).toMatchObject({ user: { id: eve.id } });
  }
  const settings = await ask("GET", "/me/sign_in", undefined, other.token);
  expect(settings.body).toMatchObject({ single_sign_on: false });
});

test("another subject with a linked member's address is refused until they are unlinked", async () => {
  const fay = await joinMember(gateway, "fay@example.com");
  people.fay = { email: "fay@example.com", email_verified: true, name: "Fay" };
  people.impostor = { email: "fay@example.com", email_verified: true, name: "Fay" };
  expect((await finish(await answerFor("fay"))).status).toBe(200);
  const refused = await finish(await answerFor("impostor"));
  expect([refused.status, refused.error.code]).toEqual([409, "linked_to_another"]);
  const path = `/users/${fay.id}/single_sign_on`;
  const reader = await joinMember(gateway, "no-admin@example.com");
  expect((await ask("DELETE", path, undefined, reader.token)).status).toBe(403);
  expect((await ask("DELETE", path, undefined, gateway.adminKey)).status).toBe(200);
  expect((await ask("DELETE", path, undefined, gateway.adminKey)).status).toBe(404);
  expect((await finish(await answerFor("impostor"))).status).toBe(200);
  expect((await finish(await answerFor("fay"))).error.code).toBe("linked_to_another");
});

test("the identity of a removed member gives no access, and can be used by a new invitation", async () => {
  const gil = await joinMember(gateway, "gil@example.com");
  people.gil = { email: "gil@example.com", email_verified: true, name: "Gil" };
  expect((await finish(await answerFor("gil"))).status).toBe(200);
  await ask("DELETE", `/users/${gil.id}`, undefined, gateway.adminKey);
  expect((await finish(await answerFor("gil"))).error.code).toBe("sign_in_failed");
  await joinMember(gateway, "gil@example.com");
  expect((await finish(await answerFor("gil"))).status).toBe(200);
});

test("when two identities with one address sign in at once, one is linked", async () => {
  await joinMember(gateway, "hal@example.com");
  people.hal = people.hal2 = { email: "hal@example.com", email_verified: true, name: "Hal" };
  const answers = [await answerFor("hal"), await answerFor("hal2")];
  const replies = await Promise.all(answers.map((answer) => finish(answer)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("an invitation gives no access by single sign-on when its inviter may no longer invite", async () => {
  const inviter = await joinMember(gateway, "inviter@example.com", { role: "admin" });
  await ask("POST", "/invites", { email: "ina@example.com", role: "reader", projects: [] }, inviter.token);
  await gateway.admin("POST", `/organization/users/${inviter.id}`, { role: "reader" });
  people.ina = { email: "ina@example.com", email_verified: true, name: "Ina" };
  expect((await finish(await answerFor("ina"))).error.code).toBe("sign_in_failed");
});

test("a network with failing answers is refused, and sign-ins waiting elsewhere are kept", async () => {
  const waiting = await answerFor("ada");
  const statuses: number[] = [];
  const forged = { state_token: "gc_none", state: "forged", code: "forged" };
  for (let n = 0; n < 61; n++) statuses.push((await finish(forged, "203.0.113.7")).status);
  expect(statuses).toEqual([...Array(60).fill(401), 429]);
  expect((await finish(waiting)).status).toBe(200);
});

test("an answer is accepted once, in time, and only from the browser that began", async () => {
  const answer = await answerFor("ada");
  expect((await finish({ ...answer, state_token: (await start()).state_token })).status).toBe(401);
  expect((await finish({ ...answer, state: "forged" })).status).toBe(401);
  const used = await answerFor("ada");
  expect((await finish(used)).status).toBe(200);
  expect((await finish(used)).status).toBe(401);
  const late = await answerFor("ada");
  gateway.pass(10 * MINUTE_MS);
  expect((await finish(late)).status).toBe(401);
});

test("a sign-on is answered once, however many codes the provider gives for it, also over a restart", async () => {
  const { url, state_token } = await start();
  const readAnswerTo = async () => ({
    state_token,
    ...Object.fromEntries((await provider.signIn(url, "ada")).searchParams),
  });
  const [first, second, third] = [await readAnswerTo(), await readAnswerTo(), await readAnswerTo()];
  expect(new Set([first, second, third].map((answer) => JSON.stringify(answer))).size).toBe(3);
  const replies = await Promise.all([finish(first), finish(second)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  await gateway.restart();
  expect((await finish(third)).status).toBe(401);
});

test("a provider that can't be reached is said to be away, and is asked again the next time", async () => {
  const away = { ...provider.settings, issuer: "http://127.0.0.1:9" };
  const other = await serveGateway({
    signIn: { openIdProvider: away },
    isExpectedFault: (fault) => String(fault).includes("openid"),
  });
  for (const _ of [1, 2]) {
    const refused = await createOrganizationClient(other.baseUrl)("POST", "/sign_in/single_sign_on", {});
    expect([refused.status, refused.error.code]).toEqual([502, "provider_error"]);
  }
  await other.close();
  const none = await serveGateway();
  const refused = await createOrganizationClient(none.baseUrl)("POST", "/sign_in/single_sign_on", {});
  expect([refused.status, refused.error.code]).toEqual([400, "not_configured"]);
  await none.close();
});

test("a sign-on that was begun before a restart is finished after it", async () => {
  const uma = await joinMember(gateway, "uma@example.com");
  people.uma = { email: "uma@example.com", email_verified: true, name: "Uma" };
  const answer = await answerFor("uma");
  await gateway.restart();
  const { status, body } = await finish(answer);
  expect(status).toBe(200);
  expect(await who(body.token)).toMatchObject({ user: { id: uma.id } });
});
