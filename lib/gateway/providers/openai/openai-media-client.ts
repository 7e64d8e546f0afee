import type { OmittableField } from "@/lib/contract/calls/provider-protocols";
import type { Clock } from "../../clock";
import { writeMultipart } from "../../http/forms/multipart";
import { openReply, type ServerReply } from "../../http/outbound/server-reply";
import { concealKey } from "../conceal-key";
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
  type RemoteState,
  readJson,
  readOrderReply,
  recognizeOutput,
  streamFile,
  UnusableReply,
} from "../media-client";
import { toMisconfiguredStatus } from "../misconfigured";
import { describeProviderError, readProviderError } from "../read-provider-error";
import { readRetryAfter } from "../read-retry-after";
import { OpenaiServer, type ServerRequest } from "./openai-server";

const POLL_MS = 2_000;
/** Enough for ten images of three megabytes in base64. */
const MAX_IMAGES_BYTES = 64 * 1024 * 1024;
const MAX_STATE_BYTES = 256 * 1024;
const MAX_VIDEO_BYTES = 1024 * 1024 * 1024;
const REMOTE_ID = /^[\w.:-]{1,200}$/;
const VIDEO_TYPE = /^(video\/|application\/octet-stream\b)/i;

/** Where orders are sent, and the clock by which dates in its replies are read. */
interface ServerOfOrders {
  readonly server: OpenaiServer;
  readonly clock: Pick<Clock, "nowMs">;
}

/**
 * Images and videos of an OpenAI-compatible server. Images come with the reply to their order; videos are polled. An
 * order is never sent twice, since a server may carry both out.
 */
export function createOpenaiMediaClient(
  options: ProviderServer,
  clock: ServerOfOrders["clock"],
): MediaClient {
  const server = new OpenaiServer(options, clock);
  const orders = { server, clock };
  const client: MediaClient = {
    submitsOnce: false,
    pollMs: POLL_MS,
    async submit(order, _key, signal) {
      if (order.family === "image") return orderImages(orders, order, signal);
      if (order.family === "video") return orderVideo(orders, order, signal);
      throw new OrderRefused("unsupported_family", `An OpenAI-compatible provider makes no ${order.family}.`);
    },
    async poll({ id }, signal) {
      const request = { method: "GET", path: `videos/${id}` } as const;
      return readOrderReply(
        () => server.send(request),
        signal,
        async (reply) => {
          if (reply.status === 404) return { kind: "gone" } as const;
          if (reply.status !== 200) throw new Error(`The provider answered ${reply.status}`);
          return readState(await readJson(reply, MAX_STATE_BYTES), options);
        },
      );
    },
    async cancel({ id }, signal) {
      await readOrderReply(
        () => server.send({ method: "DELETE", path: `videos/${id}` }),
        signal,
        async () => undefined,
      );
    },
    async open({ id }, _file, signal) {
      const send = () => server.send({ method: "GET", path: `videos/${id}/content` });
      const { reply, close } = await openReply(send, signal);
      const type = reply.header("content-type") ?? "";
      if (reply.status === 200 && VIDEO_TYPE.test(type))
        return recognizeOutput("video", streamFile(reply, MAX_VIDEO_BYTES, close));
      close();
      const message = `The provider answered ${reply.status} with ${type} instead of a video`;
      throw [200, 404, 410].includes(reply.status) ? new OutputMissing(message) : new Error(message);
    },
  };
  return client;
}

function orderImages(
  orders: ServerOfOrders,
  order: MediaOrder,
  signal: AbortSignal,
): Promise<readonly MadeFile[]> {
  const { refusedFields } = orders.server.options;
  return placeOrder(orders, buildImageOrder(order, refusedFields), signal, async (reply) => {
    const { data } = (await readImages(reply)) as { data?: unknown };
    if (!Array.isArray(data) || data.length !== order.count)
      throw refusedReply(
        `It sent ${Array.isArray(data) ? data.length : "no"} images instead of ${order.count}`,
      );
    return data.map(decodeImage);
  });
}

/** @throws OrderRefused for a complete reply that can't be used, and for one that is too long to be read. */
async function readImages(reply: ServerReply): Promise<unknown> {
  try {
    return (await readJson(reply, MAX_IMAGES_BYTES)) ?? {};
  } catch (error) {
    throw error instanceof UnusableReply ? refusedReply(error.message) : error;
  }
}

function decodeImage(item: unknown): MadeFile {
  const { b64_json } = (item ?? {}) as { b64_json?: unknown };
  if (typeof b64_json !== "string") throw refusedReply("It sent an image without b64_json");
  const bytes = Buffer.from(b64_json, "base64");
  const mimeType = detectMediaType("image", bytes);
  if (mimeType === null) throw refusedReply(`It sent something that is no ${formatNames.image}`);
  return { mimeType, bytes };
}

function orderVideo(
  server: ServerOfOrders,
  { model, prompt, size, seconds, quality, extraFields, isSizeFree }: MediaOrder,
  signal: AbortSignal,
): Promise<string> {
  const body = {
    ...extraFields,
    model,
    prompt,
    seconds: String(seconds),
    ...(size && !isSizeFree && { size: `${size.width}x${size.height}` }),
    ...(quality !== null && { quality }),
  };
  const order = { path: "videos", body: JSON.stringify(body) };
  return placeOrder(server, order, signal, async (reply) => {
    const { id } = (await readJson(reply, MAX_STATE_BYTES)) as { id?: unknown };
    if (typeof id === "string" && REMOTE_ID.test(id)) return id;
    throw new Error("The provider's reply names no video");
  });
}

function readState(video: unknown, server: ProviderServer): RemoteState {
  const { status, progress, error } = (video ?? {}) as Record<"status" | "progress" | "error", unknown>;
  if (status === "completed") return { kind: "succeeded", files: [{ position: 0 }] };
  if (status === "failed") {
    const { code, message } = describeProviderError(readErrorFields(error), server);
    return { kind: "failed", code, message };
  }
  if (status !== "queued" && status !== "in_progress")
    throw new Error(`The provider reports the unknown status ${String(status).slice(0, 40)}`);
  const isPercent = typeof progress === "number" && progress >= 0 && progress <= 100;
  return { kind: "running", progress: isPercent ? Math.floor(progress) : null };
}

/**
 * Sends an order. After a refusal nothing is generated; an overloaded server gets the order again later.
 * @throws OrderRefused, OrderNotSent, or another error if the outcome is unknown.
 */
function placeOrder<Result>(
  { server, clock }: ServerOfOrders,
  order: Pick<ServerRequest, "path" | "body">,
  signal: AbortSignal,
  readBody: (reply: ServerReply) => Promise<Result>,
): Promise<Result> {
  return readOrderReply(
    () => server.send({ method: "POST", ...order }),
    signal,
    async (reply) => {
      const { status } = reply;
      if (status >= 200 && status < 300) return readBody(reply);
      const errorBody = await readJson(reply, MAX_STATE_BYTES).catch(() => null);
      const conceal = (words: string) => concealKey(words, server.options);
      const said = readProviderError(JSON.stringify(errorBody ?? ""), conceal);
      const { code, message } = describeProviderError(
        { code: said.code, message: said.message },
        server.options,
      );
      const misconfigured = toMisconfiguredStatus(status, code);
      if (misconfigured && !said.isFlagged) throw new OrderMisrouted(misconfigured, `${status} ${message}`);
      if (status === 429 || status === 503)
        throw new OrderNotSent(
          `The provider answered ${status}`,
          readRetryAfter(reply, JSON.stringify(errorBody ?? ""), clock.nowMs())?.ms,
        );
      throw new OrderRefused(code, `The provider answered ${status}: ${message}`);
    },
  );
}

/** The provider charges for a reply that can't be used. The customer isn't charged for it. */
function refusedReply(message: string): OrderRefused {
  return new OrderRefused("provider_reply", message);
}

function readErrorFields(error: unknown): { readonly code: unknown; readonly message: unknown } {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return { code, message };
}

/** The request that orders images: JSON, or a form with the pictures to edit, which are read while it is sent. */
export function buildImageOrder(
  order: MediaOrder,
  refusedFields: readonly OmittableField[] = [],
): Pick<ServerRequest, "path" | "body"> {
  const { inputs } = order;
  const all: Readonly<Record<string, unknown>> = buildFields(order);
  const fields = Object.fromEntries(
    Object.entries(all).filter(([name]) => !refusedFields.some((refused) => refused === name)),
  );
  if (!inputs) return { path: "images/generations", body: JSON.stringify(fields) };
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, typeof one === "string" ? one : JSON.stringify(one)] as const),
  );
  const isList = inputs.filter(({ name }) => name === "image").length > 1;
  const files = inputs.map((input, position) => ({
    ...input,
    name: isList && input.name === "image" ? "image[]" : input.name,
    filename: input.filename || `${input.name}-${position + 1}`,
  }));
  return { path: "images/edits", body: writeMultipart(texts, files) };
}

function buildFields({ model, prompt, count, size, quality, extraFields, isSizeFree }: MediaOrder) {
  return {
    ...extraFields,
    model,
    prompt,
    n: count,
    ...(size && !isSizeFree && { size: `${size.width}x${size.height}` }),
    ...(quality !== null && { quality }),
    // OpenAI's newer models refuse the field, and always answer in this form.
    ...(!/^(gpt|chatgpt)-/.test(model) && { response_format: "b64_json" }),
  };
}
