import { Agent, type IncomingMessage, request as requestByHttp } from "node:http";
import { request as requestByHttps, Agent as SecureAgent } from "node:https";
import { MAX_BYTES, ReplyTooLarge } from "./read-reply";

/** A whole reply. */
export interface WholeReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Less than servers keep an idle connection, so that hardly any request meets one that closes. */
const IDLE_MS = 4_000;
const agents = {
  http: new Agent({ keepAlive: true, timeout: IDLE_MS }),
  https: new SecureAgent({ keepAlive: true, timeout: IDLE_MS }),
};

/**
 * Sends a GET and returns its whole reply; follows no redirect. A page makes up to twenty at a time, and `fetch` takes
 * several times the processor time.
 * @throws ReplyTooLarge, the signal's reason, and the connection's errors (https://nodejs.org/api/errors.html).
 */
export async function getReply(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<WholeReply> {
  signal?.throwIfAborted();
  try {
    return await get(url, headers, signal);
  } catch (error) {
    signal?.throwIfAborted();
    // The server closed an idle connection just then. A read can be sent twice.
    if (error instanceof ClosedWhileIdle) return get(url, headers, signal);
    throw error;
  }
}

class ClosedWhileIdle extends Error {}

function get(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<WholeReply> {
  return new Promise((resolve, reject) => {
    const isSecure = url.startsWith("https:");
    const request = isSecure ? requestByHttps : requestByHttp;
    const agent = isSecure ? agents.https : agents.http;
    const asked = { ...headers, "accept-encoding": "identity" };
    const sent = request(url, { agent, headers: asked, ...(signal && { signal }) });
    sent.once("response", (reply) =>
      readText(reply).then(
        (text) => resolve({ status: reply.statusCode ?? 0, headers: toHeaders(reply), text }),
        reject,
      ),
    );
    sent.on("error", (error: NodeJS.ErrnoException) =>
      reject(sent.reusedSocket && error.code === "ECONNRESET" ? new ClosedWhileIdle() : error),
    );
    sent.end();
  });
}

/** The reply's bytes as text. An abort or a lost connection is an `error` of the reply too. */
function readText(reply: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    reply.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) reply.destroy(new ReplyTooLarge());
    });
    reply.once("end", () => resolve(new TextDecoder().decode(Buffer.concat(chunks))));
    reply.on("error", reject);
  });
}

function toHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}
