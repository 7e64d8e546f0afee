import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/**
 * What is wrong with a reply: an error (after the upload's first bytes where it is sent late), a connection that breaks
 * half-way, an object without its length, both, an upload that is read a second late, or an object whose every byte
 * waits for the test.
 */
export type S3Failure =
  | { readonly status: number; readonly code: string; readonly isLate?: boolean }
  | { readonly nextByte: () => Promise<void> }
  | "slow"
  | "cut"
  | "unannounced"
  | "cut unannounced";

const BUCKET = "outputs";
const ACCESS_KEY_ID = "AKIATEST";
/** The id of a key that is valid only with its session token. */
const TEMPORARY_KEY_ID = "ASIATEST";
const SECRET_ACCESS_KEY = "s3-secret/with+signs";
const REGION = "eu-test-1";
const SESSION_TOKEN = "FwoG+session/token==";

/** A temporary key of the server, for `outputs`. */
export const temporaryKey = { access_key_id: TEMPORARY_KEY_ID, session_token: SESSION_TOKEN };

/**
 * An S3-compatible server with one bucket. It verifies each request's signature (AWS Signature Version 4, in the
 * query), stores an object only with its whole body, and serves ranges.
 */
export async function startS3Server() {
  const objects = new Map<string, { readonly bytes: Buffer; readonly type: string }>();
  const visits: string[] = [];
  let failure: (request: IncomingMessage) => S3Failure | null = () => null;
  const server = createServer((request, reply) => void answer(request, reply).catch(() => reply.destroy()));
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, reply: ServerResponse) {
    const url = new URL(request.url ?? "", `http://${request.headers.host}`);
    visits.push(`${request.method} ${url.pathname}`);
    const fault = failure(request);
    if (request.method === "PUT") await hinder(request, fault);
    if (fault === "cut" && request.method === "PUT") return request.socket.destroy();
    const isTrickling = typeof fault === "object" && fault !== null && "nextByte" in fault;
    if (typeof fault === "object" && fault && !isTrickling) return refuse(reply, fault.status, fault.code);
    const refusal = findSignatureFault(request, url);
    if (refusal) return refuse(reply, 403, refusal);
    const [, bucket, ...path] = decodeURIComponent(url.pathname).split("/");
    const key = path.join("/");
    if (bucket !== BUCKET) return refuse(reply, 404, "NoSuchBucket");
    if (request.method === "PUT") return put(request, reply, key);
    if (request.method === "DELETE") {
      objects.delete(key);
      return reply.writeHead(204).end();
    }
    const object = objects.get(key);
    if (!object) return refuse(reply, 404, "NoSuchKey");
    if (isTrickling) return trickle(reply, object.bytes, fault.nextByte);
    serve(reply, object, request.headers.range, fault ?? "");
  }

  async function put(request: IncomingMessage, reply: ServerResponse, key: string) {
    const bytes = await readBody(request);
    if (bytes.length !== Number(request.headers["content-length"]))
      return refuse(reply, 400, "IncompleteBody");
    objects.set(key, { bytes, type: request.headers["content-type"] ?? "" });
    reply.writeHead(200, { etag: `"${createHash("md5").update(bytes).digest("hex")}"` }).end();
  }

  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** The stored objects by their keys, which include the prefix. */
    objects,
    /** The requests, each such as `PUT /bucket/key`. */
    visits,
    /** Decides for each request what goes wrong with it. */
    failWith(next: typeof failure) {
      failure = next;
    },
    /** `outputs` of a configuration file. */
    outputs: (prefix = "gate", changes: object = {}) => ({
      store: `s3://${BUCKET}/${prefix}`,
      endpoint: `http://127.0.0.1:${port}`,
      region: REGION,
      access_key_id: ACCESS_KEY_ID,
      secret_access_key: SECRET_ACCESS_KEY,
      ...changes,
    }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    /** Listens again on the same port. */
    start: () => listen(port),
  };
}

/** The code of the error of a request that is not signed as it must be; null for one that is. */
function findSignatureFault({ method, headers, url: raw = "" }: IncomingMessage, url: URL): string | null {
  const query = url.searchParams;
  const [id, date, region, service, end] = (query.get("X-Amz-Credential") ?? "").split("/");
  const time = query.get("X-Amz-Date") ?? "";
  const token = query.get("X-Amz-Security-Token");
  if (id !== ACCESS_KEY_ID && id !== TEMPORARY_KEY_ID) return "InvalidAccessKeyId";
  if (token !== (id === TEMPORARY_KEY_ID ? SESSION_TOKEN : null)) return "InvalidToken";
  if (region !== REGION || service !== "s3" || end !== "aws4_request" || !time.startsWith(`${date}T`))
    return "AuthorizationQueryParametersError";
  const sentAtMs = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  const ageMs = Date.now() - sentAtMs;
  if (!(ageMs > -300_000 && ageMs <= Number(query.get("X-Amz-Expires")) * 1_000))
    return "RequestTimeTooSkewed";
  const signed = [...query.entries()]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&");
  const [path = ""] = raw.split("?");
  const canonical = [method, path, signed, `host:${headers.host}`, "", "host", "UNSIGNED-PAYLOAD"].join("\n");
  const scope = `${date}/${region}/s3/aws4_request`;
  const hash = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", time, scope, hash].join("\n");
  const key = [date ?? "", REGION, "s3", "aws4_request"].reduce<Buffer | string>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${SECRET_ACCESS_KEY}`,
  );
  const due = createHmac("sha256", key).update(text).digest("hex");
  return due === query.get("X-Amz-Signature") ? null : "SignatureDoesNotMatch";
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function serve(
  reply: ServerResponse,
  { bytes, type }: { readonly bytes: Buffer; readonly type: string },
  range: string | undefined,
  fault: string,
) {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  const start = Number(from ?? 0);
  const end = Math.min(to === undefined ? bytes.length : Number(to) + 1, bytes.length);
  if (from !== undefined && start >= bytes.length) return refuse(reply, 416, "InvalidRange");
  const part = from !== undefined && { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` };
  const length = !fault.endsWith("unannounced") && { "content-length": end - start };
  reply.writeHead(part ? 206 : 200, { "content-type": type, ...length, ...part });
  if (!fault.startsWith("cut") || end - start === 1) return reply.end(bytes.subarray(start, end));
  reply.write(bytes.subarray(start, start + Math.floor((end - start) / 2)), () => reply.destroy());
}

async function trickle(reply: ServerResponse, bytes: Buffer, nextByte: () => Promise<void>) {
  reply.writeHead(200, { "content-length": bytes.length });
  for (let at = 0; at < bytes.length && !reply.destroyed; at++) {
    reply.write(bytes.subarray(at, at + 1));
    await nextByte();
  }
  reply.end();
}

/** Reads the beginning of an upload that is to fail, or waits before one that is slow. */
async function hinder(request: IncomingMessage, fault: S3Failure | null): Promise<void> {
  if (fault === "slow") await setTimeout(1_000);
  const isHalfWay =
    fault === "cut" || (typeof fault === "object" && fault && "isLate" in fault && fault.isLate);
  if (isHalfWay) await once(request, "data");
}

function refuse(reply: ServerResponse, status: number, code: string) {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`;
  reply.writeHead(status, { "content-type": "application/xml" }).end(xml);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
