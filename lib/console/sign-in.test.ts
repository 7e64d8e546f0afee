import { afterEach, expect, test } from "bun:test";
import { newSecretKey } from "@/lib/contract/secret-keys";
import { signInWithKey, signInWithLink } from "./sign-in";

let server: Bun.Server<undefined> | undefined;
afterEach(() => server?.stop(true));

const nowMs = 1_700_000_000_000;
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
const adminKey = newSecretKey("gk_admin_", random);

function gateway(routes: Record<string, (request: Request) => Response | Promise<Response>>) {
  const asked: string[] = [];
  server = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      return routes[pathname]?.(request) ?? Response.json({ detail: "Not Found" }, { status: 404 });
    },
  });
  return { connection: { url: `http://127.0.0.1:${server.port}`, token: null }, asked };
}

const session = { object: "organization.session", id: "sess_1", token: "opaque", expires_at: 1_700_000_900 };
const unauthorized = () => Response.json({ error: { message: "No." } }, { status: 401 });

test("an admin key becomes a session of the gateway, and is kept nowhere", async () => {
  let body: unknown;
  const { connection } = gateway({
    "/organization/sessions": async (request) => {
      body = await request.json();
      return Response.json(session);
    },
  });
  const reply = await signInWithKey(connection, adminKey, nowMs);
  expect(reply).toMatchObject({
    ok: true,
    data: { kind: "session", token: "opaque", expiresAt: session.expires_at },
  });
  expect(JSON.stringify(reply)).not.toContain(adminKey);
  expect(body).toEqual({ key: adminKey });
});

test.each([
  ["mistyped", adminKey.replace(/.$/, (last) => (last === "x" ? "y" : "x")), "mistyped"],
  ["cut off", adminKey.slice(0, -1), "mistyped"],
  ["a project key", newSecretKey("gk_live_", random), "project key"],
  ["two words", "two words", "spaces"],
])("a key that is %s is refused before the gateway is asked", async (_, key, words) => {
  const { connection, asked } = gateway({});
  const reply = await signInWithKey(connection, key, nowMs);
  expect(reply).toMatchObject({
    ok: false,
    problem: { code: "invalid", fields: { key: expect.stringContaining(words) } },
  });
  expect(asked).toEqual([]);
});

test("a key the gateway does not know is refused at its field", async () => {
  const { connection } = gateway({ "/organization/sessions": unauthorized });
  const reply = await signInWithKey(connection, adminKey, nowMs);
  expect(reply).toMatchObject({
    ok: false,
    problem: { fields: { key: expect.stringContaining("revoked") } },
  });
});

test("a gateway without sessions is shown the token, which is kept for a day", async () => {
  const { connection } = gateway({
    "/v1/chat/completions": (request) =>
      request.headers.get("authorization") === "Bearer right"
        ? new Response(null, { status: 400 })
        : unauthorized(),
  });
  expect(await signInWithKey(connection, "right", nowMs)).toMatchObject({
    ok: true,
    data: { kind: "token", token: "right", expiresAt: nowMs / 1000 + 86_400 },
  });
  expect(await signInWithKey(connection, "wrong", nowMs)).toMatchObject({
    ok: false,
    problem: { code: "invalid" },
  });
});

test("what is no gateway at all is told so", async () => {
  const { connection } = gateway({});
  const reply = await signInWithKey(connection, "token", nowMs);
  expect(reply).toMatchObject({
    ok: false,
    problem: { code: "failed", message: expect.stringContaining("GATEWAY_URL") },
  });
});

test("a link signs in once; afterwards it says what to do", async () => {
  let uses = 0;
  const { connection } = gateway({
    "/organization/sessions": () => (uses++ === 0 ? Response.json(session) : unauthorized()),
  });
  expect(await signInWithLink(connection, "once")).toMatchObject({ ok: true, data: { kind: "session" } });
  expect(await signInWithLink(connection, "once")).toMatchObject({
    ok: false,
    problem: { code: "invalid", message: expect.stringContaining("npm run sign-in-link") },
  });
});

test("a gateway that is down is not taken for a wrong key", async () => {
  const { connection } = gateway({});
  await server?.stop(true);
  for (const reply of [
    await signInWithKey(connection, "token", nowMs),
    await signInWithLink(connection, "token"),
  ]) {
    expect(reply).toMatchObject({ ok: false, problem: { code: "unreachable" } });
  }
});
