import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { OpenIdProvider } from "@/lib/gateway/sign-in/openid-provider";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  type ProviderScript,
  serveScriptedOpenIdProvider,
} from "../../support/servers/scripted-openid-provider";

const provider = serveScriptedOpenIdProvider();
/** What the gateway logged of the provider. */
let faults: string[] = [];
let gateway: ServedGateway;
let ada: { id: string };
let count = 0;

beforeAll(async () => {
  gateway = await serveGateway({
    signIn: { openIdProvider: provider.settings },
    isExpectedFault: (fault, where) => where === "single sign-on" && faults.push(String(fault)) > 0,
  });
  ada = await joinMember(gateway, "ada@example.com");
});
afterEach(() => {
  provider.say({});
  faults = [];
});
afterAll(async () => {
  await gateway.close();
  await provider.close();
});

/** Each sign-on comes from a network of its own. */
const post = (path: string, body: object) =>
  send(`${gateway.baseUrl}/organization/sign_in/single_sign_on${path}`, {
    method: "POST",
    body,
    headers: { "x-test-address": `10.1.${count >> 8}.${++count & 255}` },
  });

async function signIn(changes: Record<string, string> = {}) {
  const { body } = await post("", {});
  const answer = provider.answer(String(body.url), changes);
  return post("/answer", { state_token: body.state_token, ...answer });
}

/** How a sign-on ends while the provider says this. */
async function signInWhen(said: Partial<ProviderScript>, changes: Record<string, string> = {}) {
  provider.say(said);
  const { status, error } = await signIn(changes);
  return error.code ?? status;
}

/** The provider's endpoints are remembered for ten minutes. */
const forgetEndpoints = () => gateway.pass(10 * 60_000);

test("an honest provider signs its person in", async () => {
  expect(await signInWhen({})).toBe(200);
  const token = provider.requests.findLast(({ path }) => path === "/token");
  expect(Object.fromEntries(token?.body ?? [])).toMatchObject({
    grant_type: "authorization_code",
    redirect_uri: "http://console.test/sign-in/answer",
    client_id: "gatehouse",
    client_secret: "client secret",
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
  });
});

const hour = 3_600;
const now = () => Math.floor(Date.now() / 1000);
const unsigned = (idToken: string) => `${idToken.split(".").slice(0, 2).join(".")}.`;

test.each<[string, () => Partial<ProviderScript>]>([
  ["another nonce", () => ({ claims: { nonce: "another" } })],
  ["no nonce", () => ({ claims: { nonce: undefined } })],
  ["another issuer", () => ({ claims: { iss: "https://login.example.com" } })],
  ["no issuer", () => ({ claims: { iss: undefined } })],
  ["another audience", () => ({ claims: { aud: "another client" } })],
  ["another party among the audiences", () => ({ claims: { aud: ["gatehouse", "b"], azp: "b" } })],
  ["no subject", () => ({ claims: { sub: undefined } })],
  ["an empty subject", () => ({ claims: { sub: "" } })],
  ["a subject that is no text", () => ({ claims: { sub: 1 } })],
  ["an end that has passed", () => ({ claims: { iat: now() - hour, exp: now() - hour } })],
  ["no end", () => ({ claims: { exp: undefined } })],
  ["a beginning in an hour", () => ({ claims: { nbf: now() + hour } })],
  ["no signature", () => ({ forge: unsigned })],
  ["the algorithm none", () => ({ header: { alg: "none" }, forge: unsigned })],
  ["a critical header", () => ({ header: { crit: ["b64"], b64: false } })],
  ["the name of a key that nobody published", () => ({ header: { kid: "unknown" } })],
  ["claims that were changed after signing", () => ({ forge: (idToken) => swapSubject(idToken) })],
  ["the public key as a shared one", () => ({ header: { alg: "HS256" }, forge: signShared })],
  ["something else than a token", () => ({ forge: () => "not a token" })],
])("an ID token with %s signs nobody in", async (_, say) => {
  expect(await signInWhen(say())).toBe("sign_in_failed");
  expect(faults).toHaveLength(1);
});

function swapSubject(idToken: string): string {
  const [header, payload = "", signature] = idToken.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  return [
    header,
    Buffer.from(JSON.stringify({ ...claims, sub: "other" })).toString("base64url"),
    signature,
  ].join(".");
}

function signShared(idToken: string): string {
  const [header, payload] = idToken.split(".");
  const signature = createHmac("sha256", "client secret").update(`${header}.${payload}`).digest("base64url");
  return `${header}.${payload}.${signature}`;
}

test("algorithms that the provider allows itself count only if their signature can be verified", async () => {
  forgetEndpoints();
  const metadata = { id_token_signing_alg_values_supported: ["none", "HS256"] };
  expect(await signInWhen({ metadata, header: { alg: "none" }, forge: unsigned })).toBe("sign_in_failed");
  expect(await signInWhen({ metadata, header: { alg: "HS256" }, forge: signShared })).toBe("sign_in_failed");
  forgetEndpoints();
});

test("a key that nobody published signs nobody in, and a rotated one is known at once", async () => {
  expect(await signInWhen({})).toBe(200);
  provider.stealName();
  expect(await signInWhen({})).toBe("sign_in_failed");
  provider.publishOwn();
  expect(await signInWhen({})).toBe(200);
  provider.rotateKey(true);
  expect(await signInWhen({})).toBe(200);
  provider.rotateKey(false);
  expect(await signInWhen({})).toBe(200);
});

test.each<[string, () => Response]>([
  ["are endless", () => new Response(endless())],
  ["lie elsewhere", () => Response.redirect("http://127.0.0.1:9/keys")],
  ["are none", () => Response.json({ keys: [] })],
  ["are a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
  ["are away", () => new Response(null, { status: 503 })],
])("a provider whose keys %s signs nobody in", async (_, keys) => {
  expect(await signInWhen({ replies: { keys } })).toBe("sign_in_failed");
  expect(faults).toHaveLength(1);
});

/** A reply that never ends, and is stopped by its reader. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
}

test("an answer of another issuer, for another sign-on or a second time signs nobody in", async () => {
  expect(await signInWhen({}, { iss: "https://login.example.com" })).toBe("sign_in_failed");
  expect(await signInWhen({}, { iss: provider.settings.issuer })).toBe(200);
  expect(await signInWhen({}, { state: "forged" })).toBe("sign_in_failed");
  const { body } = await post("", {});
  const answer = { state_token: body.state_token, ...provider.answer(String(body.url)) };
  expect((await post("/answer", answer)).status).toBe(200);
  expect((await post("/answer", answer)).error.code).toBe("sign_in_failed");
  // With the answer of one browser and the state token of another.
  const other = await post("", {});
  const mixed = { ...provider.answer(String(body.url)), state_token: other.body.state_token };
  expect((await post("/answer", mixed)).error.code).toBe("sign_in_failed");
});

test("a provider that announces the issuer in its answers must name it in each", async () => {
  forgetEndpoints();
  const metadata = { authorization_response_iss_parameter_supported: true };
  expect(await signInWhen({ metadata })).toBe("sign_in_failed");
  expect(await signInWhen({ metadata }, { iss: provider.settings.issuer })).toBe(200);
  forgetEndpoints();
});

test("a refused code is no fault, and a token reply without an ID token is one", async () => {
  const refuse = () => Response.json({ error: "invalid_grant" }, { status: 400 });
  expect(await signInWhen({ replies: { token: refuse } })).toBe("sign_in_failed");
  expect(faults).toEqual([]);
  const token = () => Response.json({ access_token: "access", token_type: "Bearer" });
  expect(await signInWhen({ replies: { token } })).toBe("sign_in_failed");
  expect(faults).toHaveLength(1);
});

test("faults are logged without the claims and tokens that caused them", async () => {
  await signInWhen({ claims: { aud: "another client" } });
  await signInWhen({ claims: { nonce: "another" } });
  await signInWhen({ replies: { token: () => Response.json({ id_token: "secret-token" }) } });
  expect(faults).toHaveLength(3);
  expect(faults.join()).not.toMatch(/ada@|secret-token|subject/);
});

test("the address may be in the userinfo alone, but only that of the same subject counts", async () => {
  const said = { email: "bea@example.com", email_verified: true };
  const bea = await joinMember(gateway, said.email);
  const claims = { sub: "bea", email: undefined, email_verified: undefined };
  const tell = (info: object) => ({ claims, replies: { userinfo: () => Response.json(info) } });
  expect(await signInWhen(tell({ sub: "another", ...said }))).toBe("sign_in_failed");
  expect(await signInWhen(tell({ sub: "bea", ...said, email_verified: "true" }))).toBe("sign_in_failed");
  // The address of one place does not count with the word of the other that it is verified.
  const halves = tell({ sub: "bea", email_verified: true });
  expect(await signInWhen({ ...halves, claims: { ...claims, email: said.email } })).toBe("sign_in_failed");
  provider.say(tell({ sub: "bea", ...said }));
  const { body } = await signIn();
  const ask = createOrganizationClient(gateway.baseUrl);
  expect((await ask("GET", "/me", undefined, String(body.token))).body).toMatchObject({
    user: { id: bea.id },
  });
  expect(bea.id).not.toBe(ada.id);
});

test.each<[string, Partial<ProviderScript>]>([
  ["names another issuer", { metadata: { issuer: "https://login.example.com" } }],
  ["has no keys", { metadata: { jwks_uri: undefined } }],
  ["leads to a script", { metadata: { authorization_endpoint: "javascript:alert(1)" } }],
  ["is endless", { replies: { configuration: () => new Response(endless()) } }],
  ["lies elsewhere", { replies: { configuration: () => Response.redirect("http://127.0.0.1:9/") } }],
  ["is no object", { replies: { configuration: () => Response.json([]) } }],
])("a configuration that %s begins no sign-on, and is read again the next time", async (_, said) => {
  forgetEndpoints();
  provider.say(said);
  const refused = await post("", {});
  expect([refused.status, refused.error.code]).toEqual([502, "provider_error"]);
  expect(faults).toHaveLength(1);
  forgetEndpoints();
  expect(await signInWhen({})).toBe(200);
});

test("a provider that never replies is given up", async () => {
  const hasty = new OpenIdProvider(provider.settings, "http://console.test/", gateway.runtime.clock, 0.05);
  const proofs = { state: "state", codeVerifier: "a".repeat(43), nonce: "nonce" };
  const url = await hasty.buildSignInUrl(proofs);
  const ends: (() => void)[] = [];
  for (const silent of ["token", "keys"] as const) {
    const never = new Promise<Response>((resolve) => {
      ends.push(() => resolve(new Response(null)));
    });
    provider.say({ replies: { [silent]: () => never } });
    const answer = { ...provider.answer(url), iss: null };
    await expect(hasty.readPerson(answer, proofs)).rejects.toThrow("time");
  }
  for (const end of ends) end();
});

test.each([
  ["\u202eEve", "Eve"],
  ["E".repeat(2_000), "eve@example.com"],
  [" \u200b ", "eve@example.com"],
])("who joins under the name %j is called %p", async (given, name) => {
  const invite = { email: "eve@example.com", role: "reader", projects: [] };
  await gateway.admin("POST", "/organization/invites", invite);
  provider.say({ claims: { sub: `eve ${count}`, email: invite.email, name: given } });
  const { body } = await signIn();
  const ask = createOrganizationClient(gateway.baseUrl);
  const me = (await ask("GET", "/me", undefined, String(body.token))).body as { user: { id: string } };
  expect(me).toMatchObject({ name });
  await ask("DELETE", `/users/${me.user.id}`, undefined, gateway.adminKey);
});

test("the client's secret is sent in the way that the provider supports", async () => {
  forgetEndpoints();
  expect(
    await signInWhen({ metadata: { token_endpoint_auth_methods_supported: ["client_secret_basic"] } }),
  ).toBe(200);
  const token = provider.requests.findLast(({ path }) => path === "/token");
  expect(token?.authorization).toBe(`Basic ${btoa("gatehouse:client+secret")}`);
  expect(token?.body.has("client_secret")).toBe(false);
  forgetEndpoints();
});
