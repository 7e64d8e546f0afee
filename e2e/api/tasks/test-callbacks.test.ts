import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { createInbox, type Received } from "../../support/servers/inbox";

let inbox: ReturnType<typeof createInbox>;
let gateway: ServedGateway;

beforeEach(async () => {
  inbox = createInbox();
  gateway = await serveGateway({ callbackHosts: ["127.0.0.1"] });
});
afterEach(async () => {
  await gateway.close();
  await inbox.close();
});

const secretPath = () => `/organization/projects/${gateway.projectId}/callback_secret`;

/** A message, as verified by the official Standard Webhooks library at the gateway's time. */
function verify({ body, headers }: Received, secret: string): unknown {
  setSystemTime(gateway.runtime.clock.nowMs());
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    setSystemTime();
  }
}

const sendTest = (callback_url: unknown, key = gateway.adminKey) =>
  send(`${gateway.baseUrl}${secretPath()}/test`, { method: "POST", key, body: { callback_url } });

test("a test callback is signed like the others, and its sender learns how the receiver answered", async () => {
  const { secret } = await gateway.admin<{ secret: string }>("GET", secretPath());
  const tested = await sendTest(`${inbox.url}hook`);
  expect(tested).toMatchObject({ status: 200, body: { status: 204, failure: null } });
  const received = await inbox.next();
  expect(verify(received, secret)).toMatchObject({
    type: "callback.test",
    data: { project_id: gateway.projectId },
  });
  expect(tested.body).toMatchObject({ webhook_id: received.headers["webhook-id"], body: received.body });
  inbox.refuse();
  expect(await sendTest(inbox.url)).toMatchObject({
    status: 200,
    body: { status: 503, failure: "The receiver answered 503" },
  });
});

test("a test callback is refused for an address that callbacks may not go to, and a private one is not connected to", async () => {
  for (const address of ["", "ftp://example.com", "http://10.0.0.1/", "https://169.254.169.254/latest", 7]) {
    expect(await sendTest(address)).toMatchObject({ status: 400, error: { param: "callback_url" } });
  }
  const { value } = await gateway.admin<{ value: string }>("POST", "/organization/admin_api_keys", {
    name: "Reads",
    role: "reader",
  });
  expect((await sendTest(inbox.url, value)).status).toBe(403);
});

test("only one test callback of a project waits for its receiver at a time", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  inbox.reply(promise);
  const first = sendTest(inbox.url);
  await inbox.next();
  expect(await sendTest(inbox.url)).toMatchObject({ status: 409, error: { code: "limit_reached" } });
  resolve(new Response(null, { status: 204 }));
  expect((await first).status).toBe(200);
  expect((await sendTest(inbox.url)).status).toBe(200);
});
