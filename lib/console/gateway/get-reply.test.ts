import { afterEach, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { getReply } from "./get-reply";

let server: Server | undefined;
afterEach(() => server?.close());

const reply = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;

/** A server that answers the nth request of all (from 1) as the test says. */
async function serve(answer: (socket: Socket, count: number, request: string) => void): Promise<string> {
  let count = 0;
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => answer(socket, ++count, String(bytes)));
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
}

test("a read that meets a connection which the server closes just then is sent again", async () => {
  const url = await serve((socket, count) => {
    if (count === 2) socket.destroy();
    else socket.write(reply(`answer ${count}`));
  });
  expect(await getReply(url, {}, undefined)).toMatchObject({ status: 200, text: "answer 1" });
  expect(await getReply(url, {}, undefined)).toMatchObject({ status: 200, text: "answer 3" });
});

test("a proxy on the way is asked not to compress the reply, which is read as it is", async () => {
  const url = await serve((socket, _, request) => socket.write(reply(request)));
  expect((await getReply(url, {}, undefined)).text.toLowerCase()).toContain("accept-encoding: identity");
});

test("a reply that breaks off is an error, and is not asked for again", async () => {
  let asked = 0;
  const url = await serve((socket, count) => {
    asked = count;
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf");
  });
  expect(await getReply(url, {}, undefined).catch((error) => error)).toMatchObject({ code: "ECONNRESET" });
  expect(asked).toBe(1);
});

test("a read is given up for the signal's reason, also while its reply arrives", async () => {
  const stop = new AbortController();
  const url = await serve((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf");
    stop.abort(new Error("enough"));
  });
  expect(await getReply(url, {}, stop.signal).catch((error) => error)).toEqual(new Error("enough"));
});
