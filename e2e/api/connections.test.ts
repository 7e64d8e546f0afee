import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { openRawConnection, requestText } from "../support/raw-connection";
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
const payments = async () => {
  const { data } = await gateway.admin<{ data: { kind: string }[] }>(
    "GET",
    "/organization/ledger?kind=payment",
  );
  return data.length;
};

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
  // Payments are written in turn: behind another one, the first is there or never will be.
  await gateway.admin("POST", "/organization/payments", { amount: "1.00", reference: "Behind it" });
  expect(await payments()).toBe(before + (reply.startsWith("HTTP/1.1 200") ? 2 : 1));
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
