import { afterAll, beforeAll, expect, test } from "bun:test";
import { METHODS } from "node:http";
import { connect } from "node:net";
import { machineRuntime } from "../../main/machine-runtime";
import { seededRandom } from "../../simulation/seeded-random";
import { readBody } from "../../testing/read-body";
import { respondWithJson } from "../known-response";
import { HttpServer } from "./http-server";
import {
  malformedBodies,
  malformedRequests,
  type RequestCase,
  validRequests,
} from "./testing/request-corpus";

/** What both servers tell of each request that they read, as the body of its reply. */
const NAMES = ["a", "b", "c", "e", "x", "content-length", "transfer-encoding", "connection"];

/** Node's own server, whose parser is llhttp. */
const NODE_SERVER = `
const http = require("node:http");
const server = http.createServer({ insecureHTTPParser: false }, (request, reply) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("error", () => {});
  request.on("end", () => {
    const headers = ${JSON.stringify(NAMES)}.map((name) => request.headersDistinct[name]?.join(", ") ?? null);
    const body = Buffer.concat(pieces).toString("latin1");
    const target = request.url.replace(/^http:\\/\\/[^/]*\\/?/, "/").replace(/^\\*/, "/*");
    reply.end(JSON.stringify({ method: request.method, target, headers, body }));
  });
});
server.on("checkExpectation", (request, reply) => { reply.statusCode = 417; reply.end("refused"); });
server.on("connect", (request, socket) => socket.end());
server.on("clientError", (error, socket) => socket.end("HTTP/1.1 400 Bad Request\\r\\n\\r\\nrefused"));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

const NEXT = "GET /next HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n\r\n";

let own: HttpServer;
let node: Bun.Subprocess<"ignore", "pipe", "inherit">;
let nodePort: number;

beforeAll(async () => {
  own = new HttpServer({
    hostname: "127.0.0.1",
    port: 0,
    maxPerNetwork: 1_024,
    exempt: [],
    runtime: machineRuntime,
    log: () => {},
    logFault: () => {},
    async answer(request) {
      const target = request.url.replace(/^http:\/\/[^/]*/, "");
      const headers = NAMES.map((name) => request.headers.get(name));
      try {
        const body = Buffer.from(await readBody(request)).toString("latin1");
        return respondWithJson({ method: request.method, target, headers, body });
      } catch {
        return respondWithJson("refused", { status: 400, headers: { connection: "close" } });
      }
    },
  });
  node = Bun.spawn(["node", "-e", NODE_SERVER], { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const { value } = await node.stdout.getReader().read();
  nodePort = Number(Buffer.from(value ?? []).toString());
});
afterAll(async () => {
  node.kill();
  await own.stop(true);
});

/** The requests that a server read from these bytes, and "refused" if it refused one. */
async function readBy(port: number, sent: string): Promise<unknown[]> {
  const replyText = await new Promise<string>((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (piece) => void (text += piece));
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
    socket.on("end", () => socket.destroy());
    socket.end(Buffer.from(sent, "latin1"));
  });
  const replies = replyText.replaceAll("HTTP/1.1 100 Continue\r\n\r\n", "").split(/(?=HTTP\/1\.1 \d)/);
  return replies
    .filter((reply) => reply !== "")
    .map((reply) => {
      if (!reply.startsWith("HTTP/1.1 200")) return "refused";
      if (reply.endsWith("\r\n\r\n")) return "read, without a body in the reply";
      return JSON.parse(reply.slice(reply.indexOf("{"), reply.lastIndexOf("}") + 1));
    });
}

const hosts = ["a b", "a,b", "a/b", "a@b", "a?b", "x:port", "[::1", "1.2.3.999", "x:99999", '"x"', "<x>"];

/** Requests that this server refuses and Node reads, with the reason. */
const stricter: Readonly<Record<string, string>> = {
  "two hosts": "RFC 9112, section 3.2",
  ...Object.fromEntries(
    hosts.map((host) => [`a host of ${host}`, "replies contain addresses made of the host"]),
  ),
  "two spaces": "RFC 9112, section 3: a single space",
  "a target with a fragment": "RFC 9112, section 3.2: a target has none",
  "an asterisk for GET": "RFC 9112, section 3.2.4: for OPTIONS alone",
  "an absolute target of another scheme": "the gateway is no proxy",
  "an absolute target with a password": "RFC 9110, section 4.2.4",
  "an LF before it": "RFC 9112, section 2.2: an empty line ends with CRLF",
  'a coding of ""': "RFC 9112, section 6.1: a coding is named",
  "another expectation": "RFC 9110, section 10.1.1; Node refuses it as well, and keeps the connection",
  "101 headers": "Node's limit is 2,000",
  CONNECT: "the gateway is no proxy; Node leaves it to its user",
};

/** Requests behind which this server reads another one, and Node none. */
const keptLonger = new Set(["HTTP/1.0 that keeps alive", "an offer to upgrade, which is ignored"]);

test.each(
  [...validRequests, ...malformedRequests, ...malformedBodies].map((one) => [one.name, one] as const),
)("Node reads it alike, or more leniently: %s", async (name, { sent, isPersistent = true }) => {
  const all = isPersistent && !keptLonger.has(name) ? sent + NEXT : sent;
  const [ours, theirs] = await Promise.all([readBy(own.port, all), readBy(nodePort, all)]);
  if (!(name in stricter)) expect(ours).toEqual(theirs);
  else {
    expect(ours).toEqual(["refused"]);
    expect(theirs).not.toEqual(["refused"]);
  }
});

test("what is read of a damaged request, Node reads alike", async () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`SEED=${seed}`);
  const random = seededRandom(seed);
  const cases = validRequests.filter(
    ({ sent, isPersistent = true, name }) =>
      sent.length < 400 && isPersistent && !keptLonger.has(name) && !name.startsWith("an absolute"),
  );
  const spoilt = "\r\n\0 \t:;,0159afxAF-+\xff/?#";
  let readCount = 0;
  for (let round = 0; round < 400; round++) {
    const { sent } = random.pick(cases as [RequestCase, ...RequestCase[]]);
    const at = random.between(0, sent.length - 1);
    const insertion = Array.from(
      { length: random.between(0, 2) },
      () => spoilt[random.between(0, spoilt.length - 1)],
    );
    const damagedText = sent.slice(0, at) + insertion.join("") + sent.slice(at + random.between(0, 2)) + NEXT;
    const ours = await readBy(own.port, damagedText);
    // Node refuses at once what it has read together with something malformed, and knows only the usual methods.
    const isComparable = (one: unknown) => METHODS.includes((one as { method?: string }).method ?? "");
    if (ours.length < 2 || !ours.every(isComparable)) continue;
    // RFC 9110, section 5.5, allows it. Node takes only spaces there.
    const hasTabBehindLength = /content-length:[^\r\n]*\d *\t/i.test(damagedText);
    if (hasTabBehindLength) continue;
    readCount++;
    expect([damagedText, await readBy(nodePort, damagedText)]).toEqual([damagedText, ours]);
  }
  expect(readCount).toBeGreaterThan(50);
});
