import { createHash } from "node:crypto";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../../clock";
import type { SingleRequest } from "../../http/outbound/http1/http1-client";
import { ServerConnection } from "../../http/outbound/server-connection";
import { type SentRequest, type ServerReply, withReply } from "../../http/outbound/server-reply";
import { Secret } from "../../secrets/secret";
import { signUrl } from "./sign-url";

/** `outputs` of the configuration file. */
export interface OutputsDraft {
  /** `s3://bucket/prefix` */
  readonly store: string;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly session_token?: string | undefined;
}

const DEFAULT_REGION = "us-east-1";

export function toBucketSettings(draft: OutputsDraft): BucketSettings {
  const { region = DEFAULT_REGION, endpoint = `https://s3.${region}.amazonaws.com` } = draft;
  const [bucket = "", ...prefix] = draft.store.replace(/^s3:\/\//, "").split("/");
  return {
    bucket,
    prefix: prefix.join("/"),
    endpoint: new URL(endpoint).origin,
    region,
    accessKeyId: draft.access_key_id,
    secretAccessKey: new Secret(draft.secret_access_key),
    sessionToken: draft.session_token === undefined ? null : new Secret(draft.session_token),
  };
}

/** A bucket of an S3-compatible server, with the key that may read, write and delete its objects. */
interface BucketSettings {
  readonly bucket: string;
  /** The prefix without slashes at its ends; empty for none. */
  readonly prefix: string;
  /** An origin, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
  readonly sessionToken: Secret | null;
}

/** A file on this machine's disk. */
interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  readonly mimeType: string;
}

/** How long a signature holds; requests are sent at once. */
const SIGNED_SECONDS = 900;
const ANSWER_MS = 30_000;
const UPLOAD_MS = 15 * MINUTE_MS;
/** An object has at least this pace; more slowly, it would hold its reader's place for hours. */
const MIN_BYTES_PER_SECOND = 16 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Reads and writes the objects of a bucket with signed requests. An object is written by one PUT of known length, so a
 * broken upload leaves nothing.
 */
export class Bucket {
  readonly #connection: ServerConnection;

  constructor(
    private readonly settings: BucketSettings,
    private readonly clock: Pick<Clock, "monotonicMs">,
    private readonly answerMs = ANSWER_MS,
  ) {
    this.#connection = new ServerConnection(
      { baseUrl: settings.endpoint, isTrusted: true },
      { accept: "*/*", "accept-encoding": "identity" },
    );
  }

  /** The bucket as the configuration names it: `s3://bucket/prefix`. */
  get name(): string {
    const { bucket, prefix } = this.settings;
    return `s3://${bucket}${prefix && `/${prefix}`}`;
  }

  /**
   * Writes an object, in place of an earlier one. @returns the SHA-256 of what was sent.
   * @throws BucketFault, and then nothing is written.
   */
  async put(key: string, { path, bytes, mimeType }: LocalFile, signal: AbortSignal): Promise<string> {
    let hash = createHash("sha256");
    const openStream = async function* () {
      hash = createHash("sha256");
      for await (const piece of Bun.file(path).stream() as unknown as AsyncIterable<Uint8Array>) {
        hash.update(piece);
        yield piece;
      }
    };
    const body = { contentType: mimeType, bytes, read: openStream };
    await this.#ask(
      { method: "PUT", body },
      key,
      AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_MS)]),
      async (reply) => {
        if (reply.status !== 200) throw await this.#fault(reply);
      },
    );
    return hash.digest("hex");
  }

  /** The size of an object in bytes; null if there is none. @throws BucketFault */
  async findSize(key: string): Promise<number | null> {
    const range = { range: "bytes=0-0" };
    return this.#ask(
      { method: "GET", headers: range },
      key,
      AbortSignal.timeout(ANSWER_MS),
      async (reply) => {
        if (reply.status === 206) {
          const [, size] = /^bytes 0-\d+\/(\d+)$/.exec(reply.header("content-range") ?? "") ?? [];
          if (size !== undefined) return Number(size);
          throw new BucketFault(`${this.name} answered 206 without the object's size.`);
        }
        // A server without ranges, or an empty object.
        if (reply.status === 200) return reply.contentLength ?? (await readLength(reply));
        if (reply.status === 416) return 0;
        const code = await readErrorCode(reply);
        if (reply.status === 404 && code !== "NoSuchBucket") return null;
        throw describeFault(this.name, reply.status, code);
      },
    );
  }

  /** Reads the bytes of an object from `start` to before `end`, at the reader's speed. Fails if they break off. */
  read(key: string, start: number, end: number): ReadableStream<Uint8Array> {
    let pendingReader: Promise<ReadableStreamDefaultReader<Uint8Array>> | null = null;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          pendingReader ??= this.#open(key, start, end);
          const { done, value } = await (await pendingReader).read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async (reason) => (await pendingReader)?.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  /** @throws BucketFault. An object that doesn't exist is deleted already. */
  async delete(key: string): Promise<void> {
    await this.#ask({ method: "DELETE" }, key, AbortSignal.timeout(ANSWER_MS), async (reply) => {
      if (reply.status === 200 || reply.status === 204) return;
      const code = await readErrorCode(reply);
      if (reply.status !== 404 || code === "NoSuchBucket") throw describeFault(this.name, reply.status, code);
    });
  }

  async #open(key: string, start: number, end: number) {
    const request = this.#send({ method: "GET", headers: { range: `bytes=${start}-${end - 1}` } }, key);
    const timeout = setTimeout(() => request.cancel(), ANSWER_MS);
    try {
      const reply = await request.reply;
      const isRange = reply.status === 206 || (reply.status === 200 && start === 0);
      const bytes = end - start;
      if (!isRange || (reply.contentLength ?? bytes) !== bytes) throw await this.#fault(reply);
      const cancel = () => request.cancel();
      return exactly(bytes, this.#readPaced(reply, cancel), cancel).getReader();
    } catch (error) {
      request.cancel();
      throw this.#unreachable(error);
    } finally {
      clearTimeout(timeout);
    }
  }

  /**
   * Reads a body that must keep its pace. Only time spent waiting for the bucket counts, not a reader's pauses;
   * each byte earns some of it, up to the time in which an answer must begin.
   */
  #readPaced(reply: ServerReply, cancel: () => void): () => Promise<Uint8Array | null> {
    let leftMs = this.answerMs;
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => {});
    const giveUp = () => {
      late.reject(new BucketFault(`${this.name} sends an object too slowly: it was given up.`));
      cancel();
    };
    return async () => {
      const sinceMs = this.clock.monotonicMs();
      const timeout = setTimeout(giveUp, leftMs);
      const piece = await Promise.race([reply.read(), late.promise]).finally(() => clearTimeout(timeout));
      if (piece === null) return null;
      leftMs -= this.clock.monotonicMs() - sinceMs;
      if (leftMs <= 0) {
        giveUp();
        return late.promise;
      }
      leftMs = Math.min(this.answerMs, leftMs + (piece.byteLength * 1_000) / MIN_BYTES_PER_SECOND);
      return piece;
    };
  }

  async #ask<Result>(
    request: Omit<SingleRequest, "path">,
    key: string,
    signal: AbortSignal,
    readBody: (reply: ServerReply) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    try {
      return await withReply(() => this.#send(request, key), signal, readBody);
    } catch (error) {
      throw this.#unreachable(error);
    }
  }

  #send(request: Omit<SingleRequest, "path">, key: string): SentRequest {
    const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey, sessionToken } = this.settings;
    const path = signUrl({
      method: request.method,
      url: new URL(`${endpoint}/${[bucket, prefix, key].filter(Boolean).join("/")}`),
      region,
      accessKeyId,
      secretAccessKey: secretAccessKey.reveal(),
      sessionToken: sessionToken?.reveal() ?? null,
      atMs: Date.now(),
      expiresSeconds: SIGNED_SECONDS,
    });
    return this.#connection.request({ ...request, path });
  }

  async #fault(reply: ServerReply): Promise<BucketFault> {
    return describeFault(this.name, reply.status, await readErrorCode(reply));
  }

  #unreachable(error: unknown): BucketFault {
    if (error instanceof BucketFault) return error;
    const cause = error instanceof Error ? error.message : String(error);
    return new BucketFault(`${this.name} can't be reached at ${this.settings.endpoint}: ${cause}.`, {
      cause: error,
    });
  }
}

/** Streams a reply that must have this many bytes, whether it announces them or not. */
function exactly(
  bytes: number,
  read: () => Promise<Uint8Array | null>,
  cancel: () => void,
): ReadableStream<Uint8Array> {
  let bytesLeft = bytes;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await read();
        bytesLeft -= piece?.byteLength ?? 0;
        if (bytesLeft < 0 || (piece === null && bytesLeft > 0)) {
          cancel();
          throw new BucketFault("The bucket sent an object of another length.");
        }
        if (piece === null) controller.close();
        else controller.enqueue(piece);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

async function readLength(reply: ServerReply): Promise<number> {
  let bytes = 0;
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) bytes += piece.byteLength;
  return bytes;
}

async function readErrorCode(reply: ServerReply): Promise<string> {
  const pieces: Uint8Array[] = [];
  try {
    let bytes = 0;
    for (
      let piece = await reply.read();
      piece !== null && bytes < MAX_ERROR_BYTES;
      piece = await reply.read()
    ) {
      pieces.push(piece);
      bytes += piece.byteLength;
    }
  } catch {
    // A reply that breaks off is an error all the same.
  }
  return readBucketErrorCode(Buffer.concat(pieces).toString("latin1"));
}

/** A bucket could not do what it was asked. The message says why, for the operator. */
export class BucketFault extends Error {}

const MAX_CODE_LENGTH = 64;

/** The code of an S3 error reply, such as `AccessDenied`; an empty text if it has none. */
function readBucketErrorCode(xml: string): string {
  const [, code = ""] = /<Code>\s*([A-Za-z0-9.]+)\s*<\/Code>/.exec(xml) ?? [];
  return code.slice(0, MAX_CODE_LENGTH);
}

const mends: Readonly<Record<string, string>> = {
  RequestTimeTooSkewed: "set this machine's clock",
  SignatureDoesNotMatch: "check secret_access_key",
  InvalidAccessKeyId: "check access_key_id",
  ExpiredToken: "set a key and session_token that are still valid",
  InvalidToken: "check session_token",
  NoSuchBucket: "create the bucket, or check its name",
  PermanentRedirect: "set the bucket's own region or endpoint",
  AuthorizationHeaderMalformed: "set the bucket's own region",
  AuthorizationQueryParametersError: "set the bucket's own region",
};

/** The fault behind a reply of the server. */
function describeFault(where: string, status: number, code: string): BucketFault {
  const sentence = `${where} answered ${status}${code && ` ${code}`}`;
  const mend = mends[code] ?? describeMend(status);
  return new BucketFault(`${sentence}: ${mend}.`);
}

function describeMend(status: number): string {
  if (status === 401 || status === 403)
    return "give its access key the rights to read, write and delete objects under the prefix";
  if (status >= 300 && status < 400) return "set the bucket's own region or endpoint";
  if (status === 429 || status >= 500) return "it is overloaded or down, and is asked again";
  return "check bucket and endpoint";
}
