import { DEFAULT_POLL_SECONDS, type TaskApi } from "@/lib/contract/calls/task-api";
import { readPointer } from "@/lib/contract/calls/task-template";
import type { Clock } from "../../clock";
import { AddressNotAllowed, readHostname } from "../../http/outbound/allowed-addresses";
import type { SingleRequest } from "../../http/outbound/http1/http1-client";
import { ServerConnection } from "../../http/outbound/server-connection";
import { openReply, type SentRequest, type ServerReply } from "../../http/outbound/server-reply";
import {
  detectMediaType,
  formatNames,
  type MadeFile,
  type MediaClient,
  type MediaOrder,
  OrderMisrouted,
  OrderNotSent,
  OrderRefused,
  OutputMissing,
  type ProviderServer,
  type RemoteFile,
  type RemoteState,
  type RemoteTask,
  ReplyTooLong,
  readJson,
  readOrderReply,
  recognizeOutput,
  streamFile,
  UnusableOutput,
  UnusableReply,
} from "../media-client";
import { toMisconfiguredStatus } from "../misconfigured";
import { describeProviderError } from "../read-provider-error";
import { readRetryAfter } from "../read-retry-after";
import { buildTaskPath, buildUsualHeaders, isPath, type MappedServer, submitRequest } from "./task-requests";

const DEFAULT_TIMEOUT_SECONDS = 60;
const MAX_STATE_BYTES = 256 * 1024;
/** Enough for ten images of three megabytes in base64. */
const MAX_FILES_BYTES = 64 * 1024 * 1024;

/** A gateway between may have lost the answer of the provider: the order may have been carried out. */
const LOST_BETWEEN = [502, 504];
const BUSY = [429, 503];
/** The first request with the same idempotency key has not ended. */
const UNDER_WAY = [409, 425];

/** A client of a server whose task API is mapped by the configuration file. @throws TypeError for one without. */
export function createTaskApiClient(provider: ProviderServer, clock: Pick<Clock, "nowMs">): MediaClient {
  const { taskApi } = provider;
  if (!taskApi) throw new TypeError("A provider of the kind http has a task API");
  return new TaskApiClient({ ...provider, taskApi }, clock);
}

class TaskApiClient implements MediaClient {
  readonly submitsOnce: boolean;
  readonly pollMs: number;
  readonly #connection: ServerConnection;
  readonly #timeoutMs: number;

  constructor(
    private readonly server: MappedServer,
    private readonly clock: Pick<Clock, "nowMs">,
  ) {
    const { submit, poll, timeout_seconds } = server.taskApi;
    this.submitsOnce = submit.idempotency_header !== undefined;
    this.pollMs = (poll?.interval_seconds ?? DEFAULT_POLL_SECONDS) * 1_000;
    this.#timeoutMs = (timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000;
    this.#connection = new ServerConnection(server, buildUsualHeaders(server));
  }

  async submit(order: MediaOrder, key: string, signal: AbortSignal): Promise<string | readonly MadeFile[]> {
    const { taskApi } = this.server;
    return this.#ask(submitRequest(taskApi, order, key), signal, async (reply) => {
      const { status } = reply;
      if (status >= 200 && status < 300) return this.#readOrder(reply, order);
      const isOpen = LOST_BETWEEN.includes(status) || (this.submitsOnce && UNDER_WAY.includes(status));
      if (isOpen) throw new Error(`The provider answered ${status}`);
      const error = await readJson(reply, MAX_STATE_BYTES).catch(() => null);
      const words = readErrorWords(error, taskApi, this.server);
      const misconfigured = toMisconfiguredStatus(status, words.code);
      if (misconfigured) throw new OrderMisrouted(misconfigured, `${status} ${words.message}`);
      if (BUSY.includes(status))
        throw new OrderNotSent(
          `The provider answered ${status}`,
          readRetryAfter(reply, "", this.clock.nowMs())?.ms,
        );
      throw new OrderRefused(words.code, `The provider answered ${status}: ${words.message}`);
    });
  }

  async #readOrder(reply: ServerReply, order: MediaOrder): Promise<string | readonly MadeFile[]> {
    const { taskApi } = this.server;
    if (taskApi.poll) return readRemoteId(await readJson(reply, MAX_STATE_BYTES), taskApi);
    try {
      const document = await readJson(reply, MAX_FILES_BYTES);
      return readOutputs(document, taskApi, order).map(({ source = "" }) => this.#madeFile(source, order));
    } catch (error) {
      const isUnusable = error instanceof UnusableOutput || error instanceof UnusableReply;
      throw isUnusable ? new OrderRefused("provider_output", error.message) : error;
    }
  }

  #madeFile(source: string, { family }: MediaOrder): MadeFile {
    const bytes = decodeOutput(source);
    const mimeType = detectMediaType(family, bytes);
    if (mimeType === null)
      throw new UnusableOutput(`The provider sent a file that is no ${formatNames[family]}.`);
    return { mimeType, bytes };
  }

  async poll(remote: RemoteTask, signal: AbortSignal): Promise<RemoteState> {
    const { taskApi } = this.server;
    const { poll } = taskApi;
    if (!poll) throw new TypeError("The task API has no poll");
    const { result_path, base64 } = taskApi.outputs;
    const isFilesHere = base64 !== undefined && result_path === undefined;
    const request = { method: "GET", path: buildTaskPath(poll.path, remote) } as const;
    const document = await this.#askJson(request, signal, isFilesHere);
    if (document === null) return { kind: "gone" } as const;
    const state = readRemoteState(document.value, { ...taskApi, poll }, this.server);
    if (state.kind !== "succeeded") return state;
    return { kind: "succeeded", files: await this.#listFiles(remote, document.value, signal) };
  }

  async #listFiles(remote: RemoteTask, document: unknown, signal: AbortSignal) {
    const { taskApi } = this.server;
    const { path, result_path, base64 } = taskApi.outputs;
    const { order } = remote;
    if (path !== undefined) return Array.from({ length: order.count }, (_, position) => ({ position }));
    if (result_path === undefined) return readOutputs(document, taskApi, order);
    const request = { method: "GET", path: buildTaskPath(result_path, remote) } as const;
    const result = await this.#askJson(request, signal, base64 !== undefined);
    if (result === null) throw new UnusableOutput("The provider knows no result of this task.");
    return readOutputs(result.value, taskApi, order);
  }

  async cancel(remote: RemoteTask, signal: AbortSignal): Promise<void> {
    const { cancel } = this.server.taskApi;
    if (!cancel) return;
    const request = { method: cancel.method ?? "POST", path: buildTaskPath(cancel.path, remote) } as const;
    await this.#ask(request, signal, async () => undefined);
  }

  async open(remote: RemoteTask, file: { position: number; source?: string }, signal: AbortSignal) {
    const { server } = this;
    const { path, base64 } = server.taskApi.outputs;
    const { source = "" } = file;
    if (base64 !== undefined) {
      const { bytes, mimeType } = this.#madeFile(source, remote.order);
      return { mimeType, bytes: new Blob([bytes as Uint8Array<ArrayBuffer>]).stream() };
    }
    const bytes =
      path === undefined
        ? await fetchOutput(server, this.#connection, source, signal)
        : await fetchOwnOutput(server, this.#connection, buildTaskPath(path, remote, file.position), signal);
    return recognizeOutput(remote.order.family, bytes);
  }

  /** @returns null if the provider no longer knows it. @throws Error for other replies without a document. */
  #askJson(
    request: SingleRequest,
    signal: AbortSignal,
    isLarge: boolean,
  ): Promise<{ value: unknown } | null> {
    return this.#ask(request, signal, async (reply) => {
      if (reply.status === 404 || reply.status === 410) return null;
      if (reply.status < 200 || reply.status >= 300) throw new Error(`The provider answered ${reply.status}`);
      return { value: isLarge ? await readFiles(reply) : await readJson(reply, MAX_STATE_BYTES) };
    });
  }

  /** @throws OrderNotSent if nothing was sent; another error if there is no whole reply in time. */
  #ask<Result>(
    request: SingleRequest,
    stopSignal: AbortSignal,
    readBody: (reply: ServerReply) => Promise<Result>,
  ): Promise<Result> {
    const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(this.#timeoutMs)]);
    return readOrderReply(() => this.#connection.request(request), signal, readBody);
  }
}

/**
 * Reads a reply with files in base64. @throws UnusableOutput for one that is too long, and so will be the next time.
 */
async function readFiles(reply: ServerReply): Promise<unknown> {
  try {
    return await readJson(reply, MAX_FILES_BYTES);
  } catch (error) {
    throw error instanceof ReplyTooLong ? new UnusableOutput(error.message) : error;
  }
}

const MAX_REDIRECTS = 3;
const MAX_ADDRESS_LENGTH = 8_192;
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];
/** The provider is asked again for an address if the old one has expired, and for one that is not there yet. */
const MISSING = [401, 403, 404, 410];
const LATER = [408, 425, 429];

/**
 * Fetches a file from the address that a provider gave. Only the provider's own origin gets its key, and may be at a
 * private address as the provider may; other hosts must be public, or named in `outputs.private_hosts`.
 * @throws UnusableOutput for an address that may not be fetched; another error if it can be fetched later.
 */
async function fetchOutput(
  server: MappedServer,
  ownConnection: ServerConnection,
  address: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  let url = readAddress(server, address);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const send = () => buildRequest(server, ownConnection, url);
    const { reply, close } = await openReply(send, signal).catch((error) => {
      throw toFetchError(error, url);
    });
    if (reply.status === 200) return streamFile(reply, MAX_OUTPUT_BYTES, close);
    close();
    if (!REDIRECTS.includes(reply.status)) throw refusedBy(url, reply.status);
    url = readAddress(server, reply.header("location") ?? "", url);
  }
  throw new UnusableOutput(`The address of the file redirected more than ${MAX_REDIRECTS} times.`);
}

/** Fetches a file from a path of the provider, which may redirect elsewhere. */
function fetchOwnOutput(
  server: MappedServer,
  ownConnection: ServerConnection,
  path: string,
  signal: AbortSignal,
) {
  return fetchOutput(server, ownConnection, `${server.baseUrl}${path}`, signal);
}

function readAddress({ baseUrl }: MappedServer, address: string, base?: URL): URL {
  const url = address.length <= MAX_ADDRESS_LENGTH ? URL.parse(address, base) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== "")
    throw new UnusableOutput(
      "The provider gave an address for the file that is not a valid http or https URL without credentials.",
    );
  if (url.protocol === "http:" && new URL(baseUrl).protocol === "https:")
    throw new UnusableOutput(
      "The provider gave an address for the file that is not encrypted: http instead of https.",
    );
  return url;
}

function buildRequest(server: MappedServer, ownConnection: ServerConnection, url: URL): SentRequest {
  const base = new URL(server.baseUrl);
  const path = `${url.pathname}${url.search}`;
  const basePath = base.pathname.replace(/\/$/, "");
  if (url.origin === base.origin && path.startsWith(`${basePath}/`))
    return ownConnection.request({ method: "GET", path: path.slice(basePath.length) });
  const isTrusted =
    url.origin === base.origin
      ? server.isTrusted
      : (server.taskApi.outputs.private_hosts ?? []).includes(readHostname(url));
  const headers = { accept: "*/*", "accept-encoding": "identity", connection: "close" };
  return new ServerConnection({ baseUrl: url.origin, isTrusted }, headers).request({ method: "GET", path });
}

function toFetchError(error: unknown, url: URL): unknown {
  if (!(error instanceof AddressNotAllowed)) return error;
  return new UnusableOutput(
    `The file is at a private address, ${readHostname(url)}. The operator can allow it in outputs.private_hosts.`,
  );
}

function refusedBy({ hostname }: URL, status: number): Error {
  const message = `${hostname} answered ${status} instead of the file`;
  if (MISSING.includes(status)) return new OutputMissing(message);
  return status >= 500 || LATER.includes(status) ? new Error(message) : new UnusableOutput(`${message}.`);
}

/** A task's state, before its outputs are read. */
type UnreadState = Exclude<RemoteState, { kind: "succeeded" }> | { readonly kind: "succeeded" };
type Server = Pick<ProviderServer, "apiKey">;
type Poll = NonNullable<TaskApi["poll"]>;

const REMOTE_ID = /^[^\p{C}\p{Z}]{1,200}$/u;
const MAX_STATUS_LENGTH = 40;

/** The task's id in the reply to its order. @throws Error if it has none that can stand in the mapping's paths. */
export function readRemoteId(reply: unknown, taskApi: TaskApi): string {
  const { submit, poll, outputs, cancel } = taskApi;
  const pointer = submit.id ?? "";
  const value = readPointer(reply, pointer);
  const paths = [poll?.path, outputs.path, outputs.result_path, cancel?.path];
  const keepsSlashes = paths.some((path) => path?.includes("{+id}"));
  const id = Number.isSafeInteger(value) ? String(value) : value;
  // Some servers resolve such segments, although they are encoded.
  if (typeof id === "string" && REMOTE_ID.test(id) && !/^\.+$/.test(id) && !(keepsSlashes && !isPath(id)))
    return id;
  throw new Error(`The provider's reply has no id at ${pointer}`);
}

/** @throws Error for a status that the mapping doesn't name. */
export function readRemoteState(
  reply: unknown,
  taskApi: TaskApi & { readonly poll: Poll },
  server: Server,
): UnreadState {
  const { status: pointer, statuses, progress } = taskApi.poll;
  const status = readPointer(reply, pointer);
  if (!["string", "number", "boolean"].includes(typeof status))
    throw new Error(`The provider's reply has no status at ${pointer}`);
  const is = (values: readonly (string | number | boolean)[] = []) =>
    values.some((value) => String(value) === String(status));
  if (is(statuses.succeeded)) return { kind: "succeeded" };
  if (is(statuses.canceled)) return { kind: "canceled" };
  if (is(statuses.failed)) return { kind: "failed", ...readErrorWords(reply, taskApi, server) };
  if (is(statuses.queued)) return { kind: "running", progress: null };
  if (is(statuses.running))
    return { kind: "running", progress: progress ? readProgress(reply, progress) : null };
  throw new Error(
    `The provider reports the status "${String(status).slice(0, MAX_STATUS_LENGTH)}", which poll.statuses does not name`,
  );
}

/** Reads percent from a number or a text such as "40%"; null for anything else. */
function readProgress(
  reply: unknown,
  { pointer, maximum = 100 }: NonNullable<Poll["progress"]>,
): number | null {
  const value = readPointer(reply, pointer);
  const number =
    typeof value === "string" && /^\d{1,3}(\.\d{1,9})?\s*%?$/.test(value) ? Number.parseFloat(value) : value;
  if (typeof number !== "number" || !(number >= 0 && number <= maximum)) return null;
  return Math.floor((100 * number) / maximum);
}

/** The code and message of a failure, without the provider's key. */
export function readErrorWords(
  reply: unknown,
  { error }: TaskApi,
  server: Server,
): { code: string; message: string } {
  const firstTextAt = (pointers: string | readonly string[] | undefined) =>
    [pointers ?? []]
      .flat()
      .map((pointer) => readPointer(reply, pointer))
      .find((value) => typeof value === "string" && value !== "");
  return describeProviderError(
    { message: firstTextAt(error?.message), code: firstTextAt(error?.code) },
    server,
  );
}

/**
 * The outputs that a document names, as many as were ordered: their addresses or contents.
 * @throws UnusableOutput if there are fewer.
 */
export function readOutputs(
  document: unknown,
  { outputs }: TaskApi,
  { count }: Pick<MediaOrder, "count">,
): RemoteFile[] {
  const { list, url, base64 } = outputs;
  const pointer = url ?? base64 ?? "";
  const entries = list === undefined ? [document] : readPointer(document, list);
  if (!Array.isArray(entries)) throw new UnusableOutput(`The provider's reply has no list at ${list}.`);
  if (entries.length < count)
    throw new UnusableOutput(`The provider made ${entries.length} files instead of ${count}.`);
  return entries.slice(0, count).map((entry: unknown, position) => {
    const source = readPointer(entry, pointer);
    if (typeof source === "string" && source !== "") return { position, source };
    const pointerPath = list === undefined ? pointer : `${list}/${position}${pointer}`;
    throw new UnusableOutput(
      `The provider's reply has no ${url === undefined ? "content" : "address"} at ${pointerPath}.`,
    );
  });
}

/** The bytes of a file in base64, also of a `data:` URL. @throws UnusableOutput */
export function decodeOutput(source: string): Buffer {
  const text = source.replace(/^data:[\w.+-]+\/[\w.+-]+;base64,/, "");
  if (!/^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(text))
    throw new UnusableOutput("The provider sent a file that is not in base64.");
  return Buffer.from(text, "base64");
}
