import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { openRawConnection, type RawConnection, requestText } from "../support/raw-connection";
import { type ServedGateway, serveGateway } from "../support/serve-gateway";

let gateway: ServedGateway;

beforeAll(async () => {
  gateway = await serveGateway({ maxSlowRequestsPerAddress: 2 });
});
afterEach(() => expect(gateway.faults).toEqual([]));
afterAll(() => gateway.close());

const signIn = "/v1/organization/sign_in";
const chat = "/v1/chat/completions";
const prompt = { model: "sandbox-echo", messages: [{ role: "user", content: "one two three" }] };
const open = () => openRawConnection(gateway.baseUrl);
const entriesOf = async (kind: string) => {
  const { data } = await gateway.admin<{ data: object[] }>("GET", `/organization/ledger?kind=${kind}`);
  return data.length;
};
const payments = () => entriesOf("payment");
const charges = () => entriesOf("charge");

test.each([
  ["nobody in particular", signIn, () => undefined],
  ["a caller", chat, () => gateway.key],
])("the body that %s doesn't send is waited for no longer than ten seconds", async (_, path, key) => {
  const connection = await open();
  await connection.send(requestText(path, { key: key(), body: "{", length: 100 }));
  await gateway.admin("GET", "/organization/roles");
  gateway.pass(11_000);
  const reply = await connection.closed;
  expect(reply).toStartWith("HTTP/1.1 408");
  expect(reply).toContain('"code":"body_too_slow"');
});

test("the third slow request of an address is a 429, while prompt ones are answered", async () => {
  const connections = [await open(), await open(), await open()];
  for (const connection of connections) {
    await connection.send(requestText(signIn, { body: "{", length: 100 }));
    await gateway.admin("GET", "/organization/roles");
  }
  gateway.pass(2_000);
  const reply = await connections[2]?.closed;
  expect(reply).toStartWith("HTTP/1.1 429");
  expect(reply).toContain('"code":"too_many_slow_requests"');
  for (const connection of connections) connection.breakOff();
});

test("a body that is broken off is no fault of the gateway's", async () => {
  for (const length of [100, 100_000]) {
    const connection = await open();
    await connection.send(requestText(chat, { key: gateway.key, body: "{", length }));
    await gateway.admin("GET", "/organization/roles");
    connection.breakOff();
    await connection.closed;
    await gateway.admin("GET", "/organization/roles");
  }
});

test("a payment with another request pipelined behind it is answered, or not made", async () => {
  const before = await payments();
  const connection = await open();
  const body = JSON.stringify({ amount: "1.00", reference: "Once" });
  const payment = requestText("/v1/organization/payments", { key: gateway.adminKey, body });
  await connection.send(`${payment}GET /healthz HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n\r\n`);
  const reply = await connection.closed;
  // Payments are written in order: once a later one is stored, the first is either stored or never will be.
  await gateway.admin("POST", "/organization/payments", { amount: "1.00", reference: "Behind it" });
  expect(await payments()).toBe(before + (reply.startsWith("HTTP/1.1 200") ? 2 : 1));
});

/**
 * Bun closes such connections, so the result is looked up by its idempotency key. A runtime that answers them passes,
 * too.
 */
describe.each([
  ["ends its half", (asking: RawConnection) => asking.halfClose()],
  [
    "sends the next request",
    (asking: RawConnection) => void asking.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"),
  ],
])("a client that %s before the reply finds what was done by its Idempotency-Key", (name, goOn) => {
  const repeat = async (path: string, key: string, body: object) => {
    const reply = await fetch(new URL(path, gateway.baseUrl), {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "idempotency-key": idOf(name) },
      body: JSON.stringify(body),
    });
    return reply.status;
  };
  const idOf = (text: string) => text.replaceAll(" ", "-");
  const askAndGoOn = async (path: string, key: string, body: object) => {
    const connection = await open();
    const text = requestText(path, { key, body: JSON.stringify(body) });
    await connection.send(text.replace("host:", `idempotency-key: ${idOf(name)}\r\nhost:`));
    goOn(connection);
    return connection;
  };

  test("a payment", async () => {
    const before = await payments();
    const payment = { amount: "2.00", reference: "Once" };
    const path = "/v1/organization/payments";
    const connection = await askAndGoOn(path, gateway.adminKey, payment);
    expect(await repeat(path, gateway.adminKey, payment)).toBe(200);
    expect(await payments()).toBe(before + 1);
    connection.breakOff();
  });

  test("a call", async () => {
    const before = await charges();
    const connection = await askAndGoOn(chat, gateway.key, prompt);
    expect(await repeat(chat, gateway.key, prompt)).toBe(200);
    expect(await charges()).toBe(before + 1);
    connection.breakOff();
  });
});

test("a connection may rest a while between requests, and no timeout is on one under way", async () => {
  const timeouts: number[] = [];
  const listener = {
    requestIP: () => null,
    timeout: (_: Request, seconds: number) => void timeouts.push(seconds),
  };
  const ask = (stream: boolean, more: Record<string, string> = {}) =>
    gateway.fetch(
      new Request(gateway.baseUrl + "/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.key}`, ...more },
        body: JSON.stringify({ ...prompt, stream }),
      }),
      listener,
    );
  expect((await ask(false)).status).toBe(200);
  expect(timeouts).toEqual([0, 75]);
  const streamed = await ask(true);
  expect(timeouts).toEqual([0, 75, 0]);
  expect(await streamed.text()).toEndWith("[DONE]\n\n");
  expect(timeouts).toEqual([0, 75, 0, 75]);
  const once = { "idempotency-key": "rests-too" };
  await (await ask(true, once)).text();
  const replayed = await ask(true, once);
  expect(replayed.headers.get("idempotency-replayed")).toBe("true");
  expect(timeouts).toEqual([0, 75, 0, 75, 0, 75, 0, 75]);
});

test("at the maximum of calls in flight, the next is refused before its body arrives", async () => {
  const full = await serveGateway({ maxConcurrentRequests: 0 });
  const endless = new ReadableStream({ start: (controller) => controller.enqueue("{") });
  const over = new AbortController();
  const reply = await fetch(full.baseUrl.replace(/\/v1$/, chat), {
    method: "POST",
    headers: { authorization: `Bearer ${full.key}`, "content-type": "application/json" },
    body: endless,
    signal: over.signal,
  });
  expect(reply.status).toBe(429);
  expect((await reply.json()).error).toMatchObject({ code: "concurrency" });
  over.abort();
  await full.close();
});
