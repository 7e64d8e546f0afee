import { DEFAULT_POLL_SECONDS } from "@/lib/contract/calls/task-api";
import type { Clock } from "../../clock";
import type { SingleRequest } from "../../http/outbound/http1/http1-client";
import { ServerConnection } from "../../http/outbound/server-connection";
import type { ServerReply } from "../../http/outbound/server-reply";
import {
  type MadeFile,
  type MediaClient,
  type MediaOrder,
  OrderMisrouted,
  OrderNotSent,
  OrderRefused,
  type RemoteState,
  type RemoteTask,
  UnusableOutput,
} from "../media-client";
import { detectMediaType, formatNames } from "../media-type";
import { toMisconfiguredStatus } from "../misconfigured";
import type { ProviderServer } from "../provider-kind";
import { readOrderReply } from "../read-order-reply";
import { ReplyTooLong, readJson, UnusableReply } from "../read-reply";
import { readRetryAfter } from "../read-retry-after";
import { recognizeOutput } from "../recognize-output";
import { fetchOutput, fetchOwnOutput } from "./fetch-output";
import { decodeOutput, readErrorWords, readOutputs, readRemoteId, readRemoteState } from "./read-task";
import { buildTaskPath, buildUsualHeaders, type MappedServer, submitRequest } from "./task-requests";

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
