import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { openRawConnection, requestText } from "../../support/clients/raw-connection";
import { fetchWithKey } from "../../support/clients/send";
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
  return text.replace("host:", `${more}host:`);
};
const lastHealth = "GET /healthz HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n\r\n";

test("a payment and the requests pipelined behind it are answered in their order, and made once", async () => {
  const before = await countPayments();
  const connection = await open();
  const unknown = "GET /nothing HTTP/1.1\r\nhost: gateway.test\r\n\r\n";
  await connection.send(`${buildPayment("First")}${unknown}${buildPayment("Second")}${lastHealth}`);
  const reply = await connection.closed;
  expect(reply.match(/HTTP\/1\.1 \d+|"code":"\w+"|"reference":"\w+"|"status":"ok"/g)).toEqual([
    "HTTP/1.1 200",
    '"reference":"First"',
    "HTTP/1.1 404",
    '"code":"path_not_found"',
    "HTTP/1.1 200",
    '"reference":"Second"',
    "HTTP/1.1 200",
    '"status":"ok"',
  ]);
  expect(await countPayments()).toBe(before + 2);
});

test("what is pipelined behind a request is not begun before its reply", async () => {
  const [paid, charged] = [await countPayments(), await countCharges()];
  const connection = await open();
  const body = JSON.stringify(prompt);
  const call = requestText(chat, { key: gateway.key, body });
  await connection.send(call + call + buildPayment("Behind") + lastHealth);
  const reply = await connection.closed;
  expect(reply.split("HTTP/1.1 200")).toHaveLength(5);
  expect(reply.indexOf('"reference":"Behind"')).toBeGreaterThan(reply.lastIndexOf('"chat.completion"'));
  expect(await countCharges()).toBe(charged + 2);
  expect(await countPayments()).toBe(paid + 1);
});

describe("a client that ends its half before the reply", () => {
  const askAndEnd = async (text: string) => {
    const connection = await open();
    await connection.send(text);
    connection.halfClose();
    return connection.closed;
  };

  test("gets the reply to a payment, which is made once", async () => {
    const before = await countPayments();
    const first = await askAndEnd(buildPayment("Once", "idempotency-key: half\r\n"));
    expect(first).toContain("HTTP/1.1 200 OK");
    expect(first).toContain('"reference":"Once"');
    const again = await askAndEnd(buildPayment("Once", "idempotency-key: half\r\n"));
    const idIn = (reply: string) => /"id":"(txn_\w+)"/.exec(reply)?.[1];
    expect(idIn(again)).toBe(idIn(first) as string);
    expect(await countPayments()).toBe(before + 1);
  });

  test.each([false, true])("gets the reply to a call (stream: %p), which is charged once", async (stream) => {
    const before = await countCharges();
    const body = JSON.stringify({ ...prompt, stream });
    const reply = await askAndEnd(requestText(chat, { key: gateway.key, body }));
    expect(reply).toContain("HTTP/1.1 200 OK");
    expect(reply).toContain(stream ? "data: [DONE]" : '"content":"one two three"');
    expect(await countCharges()).toBe(before + 1);
  });

  test("gets the replies to all that it pipelined", async () => {
    const before = await countPayments();
    const reply = await askAndEnd(buildPayment("One") + buildPayment("Two"));
    expect(reply.split("HTTP/1.1 200 OK")).toHaveLength(3);
    expect(await countPayments()).toBe(before + 2);
  });

  test("gets an error about its interrupted request", async () => {
    for (const text of ["GET /healthz HTTP/1.1\r\nhost:", requestText(signIn, { body: "{", length: 100 })])
      expect(await askAndEnd(text)).toContain("HTTP/1.1 400");
  });
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
