import { afterEach, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { createPoster } from "./post-callback";
import { postSigned } from "./post-signed";
import { deriveCallbackSecret } from "./sign-callback";

const secrets = deriveCallbackSecret(new Uint8Array(32));
const message = { id: "firing_1", body: "{}", atMs: 0 };
const never = new AbortController().signal;
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
  return postSigned(() => ({ post, secrets }), message, never);
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
  expect(await postSigned(() => ({ post, secrets }), message, never)).toBe(
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
  expect(await postSigned(() => ({ post, secrets }), message, never)).toContain(
    "certificate is not accepted",
  );
  const plain = await answering((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
  expect(await readFailure(`https://127.0.0.1:${plain}/`)).toContain("does not speak TLS");
});

test("a private address is refused with the setting that allows it", async () => {
  const post = createPoster({ url: new URL("https://127.0.0.1:9/"), isTrusted: false });
  expect(await postSigned(() => ({ post, secrets }), message, never)).toContain("GATEHOUSE_CALLBACK_HOSTS");
});
