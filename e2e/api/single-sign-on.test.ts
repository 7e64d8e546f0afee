import { afterAll, beforeAll, expect, test } from "bun:test";
import { asker, joinBy } from "../support/member-client";
import { serveOpenIdProvider } from "../support/openid-provider";
import { type ServedGateway, serveGateway } from "../support/serve-gateway";

const answerAddress = "http://console.test/sign-in/answer";
const people = {
  ada: { email: "Ada@example.com", email_verified: true, name: "Ada" },
  ben: { email: "ben@example.com", name: "Ben Invited" },
  doubted: { email: "ada@example.com", email_verified: false, name: "Not Ada" },
  stranger: { email: "stranger@example.com", email_verified: true, name: "Stranger" },
};

let provider: Awaited<ReturnType<typeof serveOpenIdProvider>>;
let gateway: ServedGateway;
let ask: ReturnType<typeof asker>;

beforeAll(async () => {
  provider = await serveOpenIdProvider(answerAddress, people);
  gateway = await serveGateway({ signIn: { openIdProvider: provider.settings } });
  ask = asker(gateway.baseUrl);
});
afterAll(async () => {
  await gateway.close();
  await provider.close();
});

async function start() {
  const { status, body } = await ask("POST", "/sign_in/single_sign_on", {});
  expect(status).toBe(200);
  return { url: String(body.url), state_token: String(body.state_token) };
}

const finish = (answer: object) => ask("POST", "/sign_in/single_sign_on/answer", answer);

/** What the provider answers for somebody who went to it from a sign-in that was begun here. */
async function answerFor(login: string) {
  const { url, state_token } = await start();
  const { searchParams } = await provider.signIn(url, login);
  return { state_token, ...Object.fromEntries(searchParams) };
}

const who = async (token: unknown) => (await ask("GET", "/me", undefined, String(token))).body;

test("the provider is offered, and asked with PKCE and a nonce", async () => {
  const methods = await ask("GET", "/sign_in_methods");
  expect(methods.body.single_sign_on).toEqual({ name: "Example login" });
  const { searchParams } = new URL((await start()).url);
  expect(searchParams.get("redirect_uri")).toBe(answerAddress);
  expect(searchParams.get("code_challenge_method")).toBe("S256");
  expect(searchParams.get("nonce")).toBeTruthy();
  expect(searchParams.get("scope")?.split(" ")).toContain("openid");
});

test("a member signs in by the address the provider vouches for, again and again", async () => {
  const ada = await joinBy(gateway, "ada@example.com", "finance");
  for (const _ of [1, 2]) {
    const { status, body } = await finish(await answerFor("ada"));
    expect(status).toBe(200);
    expect(await who(body.token)).toMatchObject({ user: { id: ada.id }, roles: [{ id: "role_finance" }] });
  }
  const settings = await ask("GET", "/me/sign_in", undefined, ada.token);
  expect(settings.body).toMatchObject({ password: true, single_sign_on: true });
});

test("who is invited under the address becomes a member; a stranger does not", async () => {
  const draft = { email: "ben@example.com", role: "reader", projects: [] };
  const invite = await gateway.admin<{ id: string }>("POST", "/organization/invites", draft);
  const { body } = await finish(await answerFor("ben"));
  expect(await who(body.token)).toMatchObject({ name: "Ben Invited", user: { email: "ben@example.com" } });
  const accepted = await ask("GET", `/invites/${invite.id}`, undefined, gateway.adminKey);
  expect(accepted.body.status).toBe("accepted");
  const refused = await finish(await answerFor("stranger"));
  expect([refused.status, refused.error.code]).toEqual([401, "sign_in_failed"]);
});

test("an address that the provider doubts opens nothing", async () => {
  expect((await finish(await answerFor("doubted"))).error.code).toBe("sign_in_failed");
});

test("an answer counts once, for whoever began, and in time", async () => {
  const answer = await answerFor("ada");
  expect((await finish({ ...answer, state_token: (await start()).state_token })).status).toBe(401);
  expect((await finish({ ...answer, state: "forged" })).status).toBe(401);
  const used = await answerFor("ada");
  expect((await finish(used)).status).toBe(200);
  expect((await finish(used)).status).toBe(401);
  const late = await answerFor("ada");
  gateway.pass(10 * 60_000);
  expect((await finish(late)).status).toBe(401);
});

test("a provider that can't be reached is said to be away, and is asked again the next time", async () => {
  const away = { ...provider.settings, issuer: "http://127.0.0.1:9" };
  const other = await serveGateway({ signIn: { openIdProvider: away } });
  for (const _ of [1, 2]) {
    const refused = await asker(other.baseUrl)("POST", "/sign_in/single_sign_on", {});
    expect([refused.status, refused.error.code]).toEqual([502, "provider_error"]);
  }
  await other.close();
  const none = await serveGateway();
  const refused = await asker(none.baseUrl)("POST", "/sign_in/single_sign_on", {});
  expect([refused.status, refused.error.code]).toEqual([400, "not_configured"]);
  await none.close();
});
