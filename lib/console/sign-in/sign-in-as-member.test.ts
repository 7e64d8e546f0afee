import { afterEach, expect, test } from "bun:test";
import { answerChallenge, finishSignOn, signInWithPassword, startSignOn } from "./sign-in-as-member";

let server: Bun.Server<undefined> | undefined;
afterEach(() => server?.stop(true));

/** A gateway that always gives the same answer, and records its requests. */
function gateway(status: number, body: object) {
  const requests: { userAgent: string | null; body: unknown }[] = [];
  server = Bun.serve({
    port: 0,
    async fetch(request) {
      requests.push({ userAgent: request.headers.get("user-agent"), body: await request.json() });
      return Response.json(body, { status });
    },
  });
  return {
    connection: {
      url: `http://127.0.0.1:${server.port}`,
      token: null,
      headers: { "user-agent": "A browser" },
    },
    requests,
  };
}

const refusal = (code: string, param: string) => ({
  error: { message: "No.", type: "authentication_error", code, param },
});
const proof = { email: "ada@example.com", password: "a horse of wood" };
const session = { object: "organization.session", id: "sess_1", token: "opaque", expires_at: 1_700_000_900 };

test("a right password leads to a session, opened in the browser's name", async () => {
  const { connection, requests } = gateway(200, session);
  expect(await signInWithPassword(connection, proof)).toMatchObject({
    ok: true,
    data: { kind: "session", session: { kind: "session", token: "opaque", expiresAt: session.expires_at } },
  });
  expect(requests).toEqual([{ userAgent: "A browser", body: proof }]);
});

test("a right password with two-factor sign-in leads to a challenge, and opens no session", async () => {
  const challenge = { object: "organization.sign_in_challenge", challenge: "asked", expires_at: 1 };
  const { connection } = gateway(200, challenge);
  expect(await signInWithPassword(connection, proof)).toMatchObject({
    ok: true,
    data: { kind: "challenge", challenge: "asked" },
  });
});

test.each([
  ["invalid_code", "code"],
  ["invalid_challenge", "challenge"],
])("%s is shown at its field", async (code, param) => {
  const { connection } = gateway(401, refusal(code, param));
  expect(await answerChallenge(connection, { challenge: "asked", code: "000000" })).toMatchObject({
    ok: false,
    problem: { code: "unauthenticated", fields: { [param]: "No." } },
  });
});

test.each(["javascript:alert(1)", "data:text/html,x", "//evil.example", "https://"])(
  "a browser is not sent to %s",
  async (url) => {
    const start = { object: "organization.single_sign_on", url, state_token: "kept", expires_at: 1 };
    const { connection } = gateway(200, start);
    expect(await startSignOn(connection)).toMatchObject({ ok: false, problem: { code: "failed" } });
  },
);

test("the provider's answer goes to the gateway with what was kept, the issuer only where it is given", async () => {
  const { connection, requests } = gateway(200, session);
  await finishSignOn(connection, { stateToken: "kept", state: "s", code: "c", iss: null });
  await finishSignOn(connection, { stateToken: "kept", state: "s", code: "c", iss: "https://login.example" });
  const sent = { state_token: "kept", state: "s", code: "c" };
  expect(requests.map(({ body }) => body)).toEqual([sent, { ...sent, iss: "https://login.example" }]);
});
