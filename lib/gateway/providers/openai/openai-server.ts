import { AwsV4Signer } from "aws4fetch";
import type { Clock } from "../../clock";
import type { ResolveHost } from "../../http/outbound/allowed-addresses";
import { ServerConnection } from "../../http/outbound/server-connection";
import { isStreamed, type SentRequest } from "../../http/outbound/server-reply";
import { concealKey } from "../conceal-key";
import type { ProviderServer } from "../media-client";
import type { AnsweringClient, ProviderRequest } from "../provider-client";

const DEFAULT_PATH = "/chat/completions";
const MESSAGES_PATH = "/messages";
/** The version of Anthropic's API that is asked for where the client names none. */
const ANTHROPIC_VERSION = "2023-06-01";

export interface ServerRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below the base address. */
  readonly path: string;
  readonly body?: ProviderRequest["body"];
  readonly traceparent?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Sends requests to a server that speaks OpenAI's protocols, or Anthropic's messages. */
export class OpenaiServer {
  readonly headers: Readonly<Record<string, string>>;
  readonly connection: ServerConnection;
  /** Messages may have another base address, and have a version. Made with the first of them. */
  #messages: ServerConnection | null = null;

  constructor(
    readonly options: ProviderServer,
    private readonly clock: Pick<Clock, "nowMs">,
    private readonly resolve?: ResolveHost,
  ) {
    this.headers = {
      "content-type": "application/json",
      // Bytes are passed on as they arrive, so they must not be compressed.
      "accept-encoding": "identity",
      ...showKey(options),
    };
    this.connection = new ServerConnection(options, this.headers, { usualPath: DEFAULT_PATH, resolve });
  }

  send(request: ServerRequest): SentRequest {
    const { method, path, body = "" } = request;
    const isMessages = path.startsWith("messages");
    const connection = isMessages ? this.#connectMessages() : this.connection;
    const { auth, apiKey, baseUrl } = this.options;
    if (auth !== "sigv4" || !apiKey) return sendOn(connection, request);
    if (isStreamed(body)) throw new TypeError("A body that is read while it is sent can't be signed");
    const url = new URL(`${isMessages ? this.#messagesUrl : baseUrl}/${path}`);
    const unsigned = { method, url, body, key: apiKey.reveal(), atMs: this.clock.nowMs() };
    return sendAfter(signHeaders(unsigned), (signed) =>
      sendOn(connection, { ...request, headers: { ...request.headers, ...signed } }),
    );
  }

  /** Asks for the list of models. Anthropic's has pages, and a version, which others take for their own form of it. */
  listModels(): SentRequest {
    const { auth } = this.options;
    if (auth !== "x-api-key") return this.send({ method: "GET", path: "models" });
    const headers = { "anthropic-version": ANTHROPIC_VERSION };
    return this.send({ method: "GET", path: "models?limit=1000", headers });
  }

  get #messagesUrl(): string {
    return this.options.messagesBaseUrl ?? this.options.baseUrl;
  }

  #connectMessages(): ServerConnection {
    this.#messages ??= new ServerConnection(
      { ...this.options, baseUrl: this.#messagesUrl },
      { ...this.headers, "anthropic-version": ANTHROPIC_VERSION },
      { usualPath: MESSAGES_PATH, resolve: this.resolve },
    );
    return this.#messages;
  }

  /** Removes the server's key from text that the server wrote. */
  conceal(text: string): string {
    return concealKey(text, this.options);
  }
}

/** The header with the key; none where there is no key, or each request is signed. */
function showKey({ apiKey, auth }: ProviderServer): Record<string, string> {
  if (!apiKey || auth === "sigv4") return {};
  return auth === "bearer" ? { authorization: `Bearer ${apiKey.reveal()}` } : { [auth]: apiKey.reveal() };
}

function sendOn(
  connection: ServerConnection,
  { method, path, body, traceparent, headers }: ServerRequest,
): SentRequest {
  if (body === undefined) return connection.request({ method, path: `/${path}`, headers });
  return connection.post({ path: `/${path}`, body, traceparent, headers });
}

/** A request that is sent once what it needs is there, and not at all if it is canceled before. */
function sendAfter<Needed>(needed: Promise<Needed>, send: (found: Needed) => SentRequest): SentRequest {
  let isCanceled = false;
  let sent: SentRequest | null = null;
  const reply = needed.then((found) => {
    if (isCanceled) throw new Error("The request was canceled before it was sent");
    sent = send(found);
    return sent.reply;
  });
  return {
    reply,
    cancel: () => {
      isCanceled = true;
      sent?.cancel();
    },
  };
}

/** An OpenAI-compatible server. `baseUrl` has no trailing slash and ends in `/v1` if the server has one. */
export function createOpenaiClient(
  options: ProviderServer,
  clock: Pick<Clock, "nowMs">,
  resolve?: ResolveHost,
): AnsweringClient {
  const server = new OpenaiServer(options, clock, resolve);
  return {
    reach: (ms) => server.connection.reach(ms),
    conceal: (text) => server.conceal(text),
    listModels: () => server.listModels(),
    send: ({ endpoint, body, traceparent, headers }) =>
      server.send({ method: "POST", path: endpoint, body, traceparent, headers }),
  };
}

interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, and `:SESSION_TOKEN` for a temporary key. */
  readonly key: string;
  readonly atMs: number;
}

/** Amazon's hosts name their service and region: `bedrock-runtime.eu-west-1.amazonaws.com`. */
const HOST = /^([a-z0-9]+)[a-z0-9-]*\.([a-z0-9-]+)\.(?:amazonaws\.com|api\.aws)/;

/** The headers that sign a request with its body (AWS Signature Version 4). */
export async function signHeaders({
  method,
  url,
  body,
  key,
  atMs,
}: UnsignedRequest): Promise<Record<string, string>> {
  const [accessKeyId = "", secretAccessKey = "", ...token] = key.split(":");
  const [, service = "bedrock", region = "us-east-1"] = HOST.exec(url.hostname) ?? [];
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    body,
    accessKeyId,
    secretAccessKey,
    service,
    region,
    datetime: new Date(atMs).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    ...(token.length > 0 && { sessionToken: token.join(":") }),
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(headers);
}
