import { afterAll, beforeAll, expect, test } from "bun:test";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { serveSingleSignOn } from "../../support/gateways/serve-single-sign-on";
import type { Person } from "../../support/servers/openid-provider";

const people: Record<string, Person> = {
  ada: { email: "ada@example.com", email_verified: true, name: "Ada" },
  owner: { email: "owner@example.com", email_verified: true, name: "Owner" },
  grouped: { email: "grouped@example.com", email_verified: true, name: "Grouped" },
};
const path = "/me/single_sign_on";

type Served = Awaited<ReturnType<typeof serveSingleSignOn>>;
let { gateway, provider, ask, finish, answerFor, who, close } = {} as Served;
let owner: { id: string; token: string };

beforeAll(async () => {
  ({ gateway, provider, ask, finish, answerFor, who, close } = await serveSingleSignOn(people));
  owner = await joinMember(gateway, "owner@example.com", { role: "owner" });
  await joinMember(gateway, "ada@example.com");
  await finish(await answerFor("ada"));
});
afterAll(() => close());

/** The provider's answer for a member who links their identity. */
async function linkFor(login: string, token: string, password = PASSWORD) {
  const begun = await ask("POST", path, { password }, token);
  if (begun.status !== 200) return begun;
  const { searchParams } = await provider.signIn(String(begun.body.url), login);
  const answer = { state_token: begun.body.state_token, ...Object.fromEntries(searchParams) };
  return { ...begun, answer };
}
const finishIdentityLink = (answer: object | undefined, token: string) =>
  ask("POST", `${path}/answer`, answer ?? {}, token);
const readAnswer = async (login: string, token: string) => {
  const begun = await linkFor(login, token);
  return "answer" in begun ? begun.answer : undefined;
};

test("an owner is not linked by their address, also in a group, and learns what to do", async () => {
  const refused = await finish(await answerFor("owner"));
  expect([refused.status, refused.error.code]).toEqual([403, "link_required"]);
  const group = await gateway.admin<{ id: string }>("POST", "/organization/groups", { name: "Owners" });
  await gateway.admin("POST", `/organization/groups/${group.id}/roles`, { role_id: "role_owner" });
  const { id: user_id } = await joinMember(gateway, "grouped@example.com");
  await gateway.admin("POST", `/organization/groups/${group.id}/users`, { user_id });
  expect((await finish(await answerFor("grouped"))).error.code).toBe("link_required");
});

test("an owner links themselves in a session, by their password, and signs in by it from then on", async () => {
  const wrong = await linkFor("owner", owner.token, "not my password");
  expect([wrong.status, wrong.error.code]).toEqual([400, "invalid_credentials"]);
  const linked = await finishIdentityLink(await readAnswer("owner", owner.token), owner.token);
  expect(linked.body).toMatchObject({ single_sign_on: true });
  const { body } = await finish(await answerFor("owner"));
  expect(await who(body.token)).toMatchObject({ user: { id: owner.id } });
  expect((await ask("POST", path, { password: PASSWORD }, owner.token)).status).toBe(409);
});

test("an owner unlinks themselves, and is asked to link again", async () => {
  const wrong = await ask("POST", `${path}/end`, { password: "not my password" }, owner.token);
  expect(wrong.status).toBe(400);
  const unlinked = await ask("POST", `${path}/end`, { password: PASSWORD }, owner.token);
  expect(unlinked.body).toMatchObject({ single_sign_on: false });
  expect((await ask("POST", `${path}/end`, { password: PASSWORD }, owner.token)).status).toBe(404);
  expect((await finish(await answerFor("owner"))).error.code).toBe("link_required");
});

test("a link is completed only in the session that began it, and can't be used to sign in", async () => {
  const answer = await readAnswer("owner", owner.token);
  expect((await finish(answer ?? {})).error.code).toBe("sign_in_failed");
  const again = await readAnswer("owner", owner.token);
  const elsewhere = (await ask("POST", "/sign_in", { email: "owner@example.com", password: PASSWORD })).body;
  expect((await finishIdentityLink(again, String(elsewhere.token))).error.code).toBe("sign_in_failed");
  const other = await joinMember(gateway, "attacker@example.com");
  const begunByOther = await readAnswer("owner", other.token);
  expect((await finishIdentityLink(begunByOther, owner.token)).error.code).toBe("sign_in_failed");
  // A sign-in that was started is not accepted as a link either.
  expect((await finishIdentityLink(await answerFor("owner"), owner.token)).error.code).toBe("sign_in_failed");
});

test("refuses to link an identity of another member", async () => {
  const taken = await finishIdentityLink(await readAnswer("ada", owner.token), owner.token);
  expect([taken.status, taken.error.code]).toEqual([409, "in_use"]);
  const settings = await ask("GET", "/me/sign_in", undefined, owner.token);
  expect(settings.body).toMatchObject({ single_sign_on: false });
});

test("each link leaves its event", async () => {
  const { body } = await ask("GET", "/audit_logs?limit=100", undefined, gateway.adminKey);
  const types = (body.data as { type: string }[]).map(({ type }) => type);
  for (const type of ["user.single_sign_on.linked", "user.single_sign_on.unlinked"]) {
    expect(types).toContain(type);
  }
});
