import { afterEach, expect, test } from "bun:test";
import { newSecretKey } from "@/lib/contract/access/secret-keys";
import { signInWithKey, signInWithLink } from "./sign-in";

let server: Bun.Server<undefined> | undefined;
afterEach(() => server?.stop(true));

const nowMs = 1_700_000_000_000;
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
const adminKey = newSecretKey("gk_admin_", random);

function gateway(routes: Record<string, (request: Request) => Response | Promise<Response>>) {
  const requests: string[] = [];
  server = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      requests.push(pathname);
      return routes[pathname]?.(request) ?? Response.json({ detail: "Not Found" }, { status: 404 });
    },
  });
  return { connection: { url: `http://127.0.0.1:${server.port}`, token: null }, requests };
}

const session = { object: "organization.session", id: "sess_1", token: "opaque", expires_at: 1_700_000_900 };
const refuseKey = () => Response.json({ error: { message: "No." } }, { status: 401 });

test("an admin key becomes a session of the gateway, and is not stored", async () => {
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
  const { connection, requests } = gateway({});
  const reply = await signInWithKey(connection, key, nowMs);
  expect(reply).toMatchObject({
    ok: false,
    problem: { code: "invalid", fields: { key: expect.stringContaining(words) } },
  });
  expect(requests).toEqual([]);
});

test("a key the gateway does not know is refused at its field", async () => {
  const { connection } = gateway({ "/organization/sessions": refuseKey });
  const reply = await signInWithKey(connection, adminKey, nowMs);
  expect(reply).toMatchObject({
    ok: false,
    problem: { fields: { key: expect.stringContaining("revoked") } },
  });
});

test("a gateway without sessions gets the token, which is kept for a day", async () => {
  const { connection } = gateway({
    "/v1/chat/completions": (request) =>
      request.headers.get("authorization") === "Bearer right"
        ? new Response(null, { status: 400 })
        : refuseKey(),
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

test.each(
  Object.entries({
    "401, with a challenge": () => new Response("Unauthorized", { status: 401 }),
    "403": () => Response.json({ message: "Forbidden" }, { status: 403 }),
    "404": () =>
      Response.json({ error: { type: "not_found_error", code: "object_not_found" } }, { status: 404 }),
    "405": () => new Response(null, { status: 405 }),
    "501": () => new Response(null, { status: 501 }),
    "500": () => new Response(null, { status: 500 }),
    "429": () => new Response(null, { status: 429 }),
    "400": () => Response.json({ message: "No such route" }, { status: 400 }),
    "a page": () => new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } }),
    "something else": () => Response.json({ ok: true }),
    "a redirect": () => Response.redirect("https://elsewhere.example/login"),
  }),
)("a token is tried where sessions are answered with %s", async (_name, elsewhere) => {
  const isRight = (request: Request) => request.headers.get("authorization") === "Bearer right";
  const { connection } = gateway({
    "/organization/sessions": elsewhere,
    "/organization/roles": elsewhere,
    "/v1/chat/completions": (request) =>
      isRight(request) ? new Response(null, { status: 422 }) : refuseKey(),
    "/v1/messages": (request) => (isRight(request) ? new Response(null, { status: 422 }) : refuseKey()),
  });
  expect(await signInWithKey(connection, "right", nowMs)).toMatchObject({
    ok: true,
    data: { kind: "token" },
  });
  expect(await signInWithKey(connection, "wrong", nowMs)).toMatchObject({
    ok: false,
    problem: { code: "invalid", fields: { key: expect.any(String) } },
  });
});

test("an administration-only token is accepted where it may not make calls", async () => {
  const forbidden = () => new Response(null, { status: 403 });
  const { connection } = gateway({
    "/organization/sessions": refuseKey,
    "/v1/chat/completions": forbidden,
    "/v1/messages": forbidden,
    "/organization/roles": () => Response.json({ data: [] }),
  });
  expect(await signInWithKey(connection, "right", nowMs)).toMatchObject({
    ok: true,
    data: { kind: "token" },
  });
});

test("a web server with a page for every address is not accepted as a gateway", async () => {
  const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const { connection } = gateway({ "/organization/sessions": page, "/v1/chat/completions": page });
  expect(await signInWithKey(connection, "token", nowMs)).toMatchObject({
    ok: false,
    problem: { code: "failed", message: expect.stringContaining("GATEWAY_URL") },
  });
});

test.each([200, 400, 422])(
  "a gateway that answers a call without a body with a page and %i is told by its refusal of another token",
  async (status) => {
    const html = { "content-type": "text/html" };
    const answer = ({ headers }: Request) =>
      headers.get("authorization") === "Bearer right"
        ? new Response("<html>Bad request", { status, headers: html })
        : new Response("<html>Unauthorized", { status: 401, headers: html });
    const { connection } = gateway({ "/v1/chat/completions": answer });
    expect(await signInWithKey(connection, "right", nowMs)).toMatchObject({
      ok: true,
      data: { kind: "token", token: "right" },
    });
    expect(await signInWithKey(connection, "wrong", nowMs)).toMatchObject({
      ok: false,
      problem: { code: "invalid", fields: { key: "The gateway does not accept this token." } },
    });
  },
);

test("a web server that answers everything with a page under 400 is not accepted as a gateway", async () => {
  const page = () => new Response("<html>", { status: 400, headers: { "content-type": "text/html" } });
  const { connection } = gateway({ "/v1/chat/completions": page, "/v1/messages": page });
  expect(await signInWithKey(connection, "token", nowMs)).toMatchObject({
    ok: false,
    problem: { code: "failed", message: expect.stringContaining("GATEWAY_URL") },
  });
});

test("says when the address is not a gateway's", async () => {
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
    "/organization/sessions": () => (uses++ === 0 ? Response.json(session) : refuseKey()),
  });
  expect(await signInWithLink(connection, "once")).toMatchObject({ ok: true, data: { kind: "session" } });
  expect(await signInWithLink(connection, "once")).toMatchObject({
    ok: false,
    problem: { code: "invalid", message: expect.stringContaining("npm run sign-in-link") },
  });
});

test("a gateway that is down is not reported as a wrong key", async () => {
  const { connection } = gateway({});
  await server?.stop(true);
  for (const reply of [
    await signInWithKey(connection, "token", nowMs),
    await signInWithLink(connection, "token"),
  ]) {
    expect(reply).toMatchObject({ ok: false, problem: { code: "unreachable" } });
  }
});
