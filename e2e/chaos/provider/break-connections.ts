import { setTimeout } from "node:timers/promises";
import { type Answering, streamEvents } from "./answer-as-scripted";
import { type ProviderFault, wordsBefore } from "./provider-script";

/** Time for the gateway to read what was sent: a reset discards unread data. */
const READ_MS = 50;
const END_OF_HEAD = "\r\n\r\n";
const STREAM_HEAD =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

interface Calls {
  receive(
    body: string,
    signal: AbortSignal,
  ): Promise<{ answering: Answering; fault: ProviderFault | undefined }>;
  reply(answering: Answering, fault: ProviderFault | undefined): Promise<Response>;
}

type Connection = Bun.Socket<{ request: Buffer; client: AbortController }>;

/**
 * Starts the fault provider's port for faults below HTTP. It takes one call per connection.
 * @returns its origin.
 */
export function listenBroken(calls: Calls): string {
  const listener = Bun.listen<{ request: Buffer; client: AbortController }>({
    port: 0,
    hostname: "127.0.0.1",
    socket: {
      open(socket) {
        socket.data = { request: Buffer.alloc(0), client: new AbortController() };
      },
      data(socket, bytes) {
        socket.data.request = Buffer.concat([socket.data.request, bytes]);
        const body = extractBody(socket.data.request);
        if (body !== null) void answer(socket, body, calls);
      },
      close: (socket) => socket.data.client.abort(),
      error() {},
    },
  });
  return `http://127.0.0.1:${listener.port}`;
}

/** Null until the whole body has arrived. */
function extractBody(request: Buffer): string | null {
  const headEnd = request.indexOf(END_OF_HEAD);
  if (headEnd < 0) return null;
  const [, length = "0"] = /content-length: (\d+)/i.exec(request.toString("latin1", 0, headEnd)) ?? [];
  const body = request.subarray(headEnd + END_OF_HEAD.length);
  return body.byteLength < Number(length) ? null : body.toString();
}

async function answer(socket: Connection, body: string, { receive, reply }: Calls): Promise<void> {
  const { answering, fault } = await receive(body, socket.data.client.signal);
  const sent = await brokenReply(answering, fault);
  if (sent !== null) {
    socket.write(sent);
    if (sent !== "") await setTimeout(READ_MS);
    socket.terminate();
    return;
  }
  const { status, headers, bytes } = await wholeReply(await reply(answering, fault));
  const head = `HTTP/1.1 ${status} Status\r\ncontent-type: ${headers.get("content-type")}\r\ncontent-length: ${bytes.byteLength}\r\nconnection: close${END_OF_HEAD}`;
  socket.end(Buffer.concat([Buffer.from(head), bytes]));
}

async function wholeReply(reply: Response) {
  return { status: reply.status, headers: reply.headers, bytes: await reply.bytes() };
}

/** What to send before the connection is reset; null where it isn't reset. */
async function brokenReply(answering: Answering, fault: ProviderFault | undefined): Promise<string | null> {
  const isHalfWay = fault === "reset half-way" || fault === "no chunk";
  if (isHalfWay && answering.isStream) {
    const chunks = await firstChunks(answering);
    return `${STREAM_HEAD}${chunks}${fault === "no chunk" ? "zz\r\n" : "ff\r\ndata: {"}`;
  }
  if (!isHalfWay && fault !== "reset" && fault !== "no HTTP") return null;
  await answering.waive();
  if (fault === "reset") return "";
  if (fault === "no HTTP") return "+OK ready\r\n";
  return "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{";
}

async function firstChunks(answering: Answering): Promise<string> {
  const events = streamEvents(answering);
  let chunks = "";
  for (let word = 0; word < wordsBefore(answering.script); word++) {
    const event = (await events.next()).value ?? "";
    chunks += `${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`;
  }
  await events.return(undefined);
  await answering.lose();
  return chunks;
}
