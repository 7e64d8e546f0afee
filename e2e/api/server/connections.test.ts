import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { openRawConnection, requestText } from "../../support/clients/raw-connection";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

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
const countEntries = async (kind: string) => {
  const { data } = await gateway.admin<{ data: object[] }>("GET", `/organization/ledger?kind=${kind}`);
  return data.length;
};
const countPayments = () => countEntries("payment");
const countCharges = () => countEntries("charge");

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

test("an interrupted body is not reported as an error of the gateway", async () => {
  for (const length of [100, 100_000]) {
    const connection = await open();
    await connection.send(requestText(chat, { key: gateway.key, body: "{", length }));
    await gateway.admin("GET", "/organization/roles");
    connection.breakOff();
    await connection.closed;
    await gateway.admin("GET", "/organization/roles");
  }
});

const buildPayment = (reference: string, more = "") => {
  const body = JSON.stringify({ amount: "1.00", reference });
  const text = requestText("/v1/organization/payments", { key: gateway.adminKey, body });
  return text.replace("host:", `idempotency-key: ${reference}\r\n${more}host:`);
};
const lastHealth = "GET /healthz HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n\r\n";

/** A payment whose client closes its connection, or sends its next request, before the reply. */
const payAndLeave = async (leave: (connection: Awaited<ReturnType<typeof open>>) => unknown) => {
  const reference = crypto.randomUUID();
  const before = await countPayments();
  const first = await open();
  await first.send(buildPayment(reference));
  await leave(first);
  await first.closed;
  const again = await open();
  await again.send(buildPayment(reference, "connection: close\r\n"));
  const reply = await again.closed;
  return { reply, reference, made: (await countPayments()) - before };
};

describe("a payment is made once and its repetition is answered, where its client", () => {
  test.each<[string, Parameters<typeof payAndLeave>[0]]>([
    ["ends its half before the reply", (connection) => connection.halfClose()],
    ["leaves before the reply", (connection) => connection.breakOff()],
    ["pipelines a request behind it", (connection) => connection.send(lastHealth)],
  ])("%s", async (_, leave) => {
    const { reply, reference, made } = await payAndLeave(leave);
    expect(reply).toStartWith("HTTP/1.1 200");
    expect(reply).toContain(`"reference":"${reference}"`);
    expect(made).toBe(1);
  });
});

test("a client that leaves before the reply to its call is charged at most once, and nothing stays held", async () => {
  const before = await countCharges();
  const connection = await open();
  await connection.send(requestText(chat, { key: gateway.key, body: JSON.stringify(prompt) }));
  connection.halfClose();
  await connection.closed;
  await until("no call is under way", async () => {
    const { held } = await gateway.admin<{ held: string }>("GET", "/organization/balance");
    return Number(held) === 0;
  });
  expect((await countCharges()) - before).toBeLessThanOrEqual(1);
});

test("at the maximum of calls in flight, the next is refused before its body arrives", async () => {
  const full = await serveGateway({ maxConcurrentRequests: 0 });
  const endless = new ReadableStream({ start: (controller) => controller.enqueue("{") });
  const over = new AbortController();
  const reply = await fetchWithKey(full.baseUrl.replace(/\/v1$/, chat), {
    key: full.key,
    body: endless,
    signal: over.signal,
  });
  expect(reply.status).toBe(429);
  expect((await reply.json()).error).toMatchObject({ code: "concurrency" });
  over.abort();
  await full.close();
});

test("a health check by HTTP/1.0, which names no host, is answered, and so is the reference", async () => {
  for (const path of ["/healthz", "/docs"]) {
    const connection = await open();
    await connection.send(`GET ${path} HTTP/1.0\r\n\r\n`);
    expect(await connection.closed).toStartWith("HTTP/1.1 200");
  }
});
