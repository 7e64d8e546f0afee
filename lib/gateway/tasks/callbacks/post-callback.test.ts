import { afterEach, beforeEach, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { Webhook } from "standardwebhooks";
import { AddressNotAllowed, type ResolveHost } from "../../http/outbound/allowed-addresses";
import { ResponseTimeout } from "../../http/outbound/server-connection";
import { Secret } from "../../secrets/secret";
import {
  createPoster,
  deriveCallbackSecret,
  postSigned,
  readCallbackTarget,
  signCallback,
} from "./post-callback";

const message = { headers: { "webhook-id": "firing_1" }, body: '{"name":"Zoë"}' };
const never = new AbortController().signal;

let receiver: Server;
let receivedBody: string;
let connections: number;
/** The receiver's reply to the first bytes of a request; null for no reply. */
let reply: string | null;
const sockets = new Set<Socket>();

beforeEach(async () => {
  [receivedBody, connections, reply] = ["", 0, "HTTP/1.1 204 No Content\r\n\r\n"];
  receiver = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      receivedBody += bytes.toString();
      if (reply !== null) socket.write(reply);
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  receiver.close();
});

function buildAddress(host: string, path = "/alerts?for=us"): string {
  const listening = receiver.address();
  return `http://${host}:${typeof listening === "object" ? listening?.port : 0}${path}`;
}

const resolvesTo =
  (...addresses: string[]): ResolveHost =>
  (_host, _options, answer) =>
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

test("sends one complete POST to the host by its name", async () => {
  const post = createPoster(readCallbackTarget(buildAddress("alerts.internal"), ["alerts.internal"]), {
    resolve: resolvesTo("127.0.0.1"),
  });
  expect(await post(message, never)).toEqual({ status: 204, retryAfter: null });
  const [head = "", body] = receivedBody.split("\r\n\r\n");
  expect(head).toStartWith("POST /alerts?for=us HTTP/1.1\r\n");
  expect(head.toLowerCase()).toContain(`host: ${new URL(buildAddress("alerts.internal")).host}`);
  expect(head.toLowerCase()).toContain("webhook-id: firing_1");
  expect(head.toLowerCase()).toContain("content-type: application/json");
  expect(body).toBe(message.body);
});

test.each([
  [["127.0.0.1"]],
  [["::1", "127.0.0.1"]],
  [["169.254.169.254"]],
  [["10.0.0.1"]],
  [["::ffff:127.0.0.1"]],
  [[]],
])("nothing is connected to where a name leads to %p alone", async (addresses) => {
  const target = { url: new URL(buildAddress("rebound.example.com")), isTrusted: false };
  const post = createPoster(target, { resolve: resolvesTo(...addresses) });
  expect(await post(message, never).catch((error) => error)).toBeInstanceOf(AddressNotAllowed);
  expect(connections).toBe(0);
});

test.each(["127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]"])(
  "nothing is connected to at %s unless the host is trusted",
  async (host) => {
    const post = createPoster({ url: new URL(buildAddress(host)), isTrusted: false });
    expect(await post(message, never).catch((error) => error)).toBeInstanceOf(AddressNotAllowed);
    expect(connections).toBe(0);
  },
);

test("the address that was checked is the one connected to, however the name changes", async () => {
  const answers = [["127.0.0.1"], ["10.0.0.1"]];
  let lookupCount = 0;
  const resolve: ResolveHost = (...call) => resolvesTo(...(answers[lookupCount++] ?? []))(...call);
  const target = readCallbackTarget(buildAddress("alerts.internal"), ["alerts.internal"]);
  expect((await createPoster(target, { resolve })(message, never)).status).toBe(204);
  expect(lookupCount).toBe(1);
});

test("a redirect is an answer, and not followed", async () => {
  reply = `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${buildAddress("127.0.0.1", "/elsewhere")}\r\ncontent-length: 0\r\n\r\n`;
  const target = readCallbackTarget(buildAddress("127.0.0.1"), ["127.0.0.1"]);
  expect((await createPoster(target)(message, never)).status).toBe(307);
  expect(connections).toBe(1);
});

test.each([
  ["says nothing", null],
  ["never ends its head", "HTTP/1.1 200 OK\r\nx-more: "],
  ["says it will go on", "HTTP/1.1 100 Continue\r\n\r\n"],
])("a receiver that %s is waited for no longer than it may take", async (_what, said) => {
  reply = said;
  const target = readCallbackTarget(buildAddress("127.0.0.1"), ["127.0.0.1"]);
  const post = createPoster(target, { answerMs: 50 });
  expect(await post(message, never).catch((error) => error)).toBeInstanceOf(ResponseTimeout);
});

test("a head that came is an answer, though the body never ends", async () => {
  reply = "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nbegin";
  const target = readCallbackTarget(buildAddress("127.0.0.1"), ["127.0.0.1"]);
  expect((await createPoster(target)(message, never)).status).toBe(200);
});

test("rejects a reply that is not HTTP or that breaks off", async () => {
  const target = readCallbackTarget(buildAddress("127.0.0.1"), ["127.0.0.1"]);
  reply = "SSH-2.0-OpenSSH_9.6\r\n";
  expect(await createPoster(target)(message, never).catch((error) => error)).toBeInstanceOf(Error);
  reply = null;
  const posterClosing = new AbortController();
  const delivery = createPoster(target)(message, posterClosing.signal);
  posterClosing.abort();
  expect(await delivery.catch((error) => error)).toMatchObject({ name: "AbortError" });
});

const secrets = deriveCallbackSecret(new Uint8Array(32));
const unsigned = { id: "firing_1", body: "{}", atMs: 0 };
const [answerMs, isTrusted] = [50, true];

const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  opened.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

const answering = (answer: (socket: Socket) => void) =>
  listen(
    createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => answer(socket));
    }),
  );

async function readFailure(address: string): Promise<unknown> {
  const post = createPoster({ url: new URL(address), isTrusted }, { answerMs });
  return postSigned(() => ({ post, secrets }), unsigned, never);
}

test("a receiver that isn't started is named, with what to do, instead of the machine's error", async () => {
  const port = await answering(() => {});
  await new Promise((closed) => opened.pop()?.close(closed));
  expect(await readFailure(`http://127.0.0.1:${port}/`)).toBe(
    "The receiver refused the connection. Start it, or correct its address.",
  );
});

test("a host without an address is named as that", async () => {
  const cause = Object.assign(new Error("getaddrinfo ENOTFOUND alerts.invalid"), { code: "ENOTFOUND" });
  const post = createPoster(
    { url: new URL("http://alerts.invalid/"), isTrusted },
    { resolve: (_host, _options, answer) => answer(cause, []) },
  );
  expect(await postSigned(() => ({ post, secrets }), unsigned, never)).toBe(
    "The receiver’s host can’t be found. Correct its address or the name server.",
  );
});

test("a receiver that says nothing is told how long it was waited for", async () => {
  const port = await answering(() => {});
  expect(await readFailure(`http://127.0.0.1:${port}/`)).toBe(
    "The receiver gave no answer in 0.05 s. Let it answer before it starts its work.",
  );
});

test.each([
  ["closes the connection", (socket: Socket) => socket.destroy(), "closed the connection"],
  ["isn't HTTP", (socket: Socket) => socket.end("SSH-2.0-x\r\n"), "was not HTTP"],
])("a receiver that %s is described", async (_what, answer, words) => {
  const port = await answering(answer);
  expect(await readFailure(`http://127.0.0.1:${port}/`)).toContain(words);
});

test("a certificate that isn't trusted and a port without TLS are told apart", async () => {
  const post = async () => {
    throw Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  };
  expect(await postSigned(() => ({ post, secrets }), unsigned, never)).toContain(
    "certificate is not accepted",
  );
  const plain = await answering((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
  expect(await readFailure(`https://127.0.0.1:${plain}/`)).toContain("does not speak TLS");
});

test("a private address is refused with the setting that allows it", async () => {
  const post = createPoster({ url: new URL("https://127.0.0.1:9/"), isTrusted: false });
  expect(await postSigned(() => ({ post, secrets }), unsigned, never)).toContain("GATEHOUSE_CALLBACK_HOSTS");
});

test("the example of Standard Webhooks gets the published signature", () => {
  const secret = new Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const body = '{"test": 2432232314}';
  expect(signCallback(secret, { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body, atMs: 1_614_265_330_999 })).toEqual(
    {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
  );
});

test("the official library verifies messages signed with the revealed secret, and no others", () => {
  const secret = deriveCallbackSecret(new Uint8Array(32).fill(7));
  const body = '{"type":"spend_alert.fired","data":{"name":"Zoë"}}';
  const headers = signCallback(secret, { id: "firing_1", body, atMs: Date.now() });
  expect(new Webhook(secret.reveal()).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret.reveal()).verify(`${body} `, headers)).toThrow("No matching signature");
  const other = deriveCallbackSecret(new Uint8Array(32).fill(8)).reveal();
  expect(() => new Webhook(other).verify(body, headers)).toThrow("No matching signature");
});

test("the secret stays the same, and can't be printed by accident", () => {
  const secret = deriveCallbackSecret(new Uint8Array(32));
  expect(secret.reveal()).toBe(deriveCallbackSecret(new Uint8Array(32)).reveal());
  expect(secret.reveal()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(`${secret} ${JSON.stringify({ secret })}`).not.toContain("whsec_");
});
