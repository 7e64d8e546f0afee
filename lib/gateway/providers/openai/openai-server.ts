import { isIP, type LookupFunction } from "node:net";
import type { Clock } from "../../clock";
import type { ResolveHost } from "../../http/outbound/allowed-addresses";
import { requestOnce } from "../../http/outbound/request-once";
import { ServerConnection } from "../../http/outbound/server-connection";
import { isStreamed, type RequestBody, type SentRequest } from "../../http/outbound/server-reply";
import { concealKey } from "../conceal-key";
import type { ProviderRequest } from "../provider-client";
import type { ProviderServer } from "../provider-kind";
import { signHeaders } from "../sign-headers";

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

  send({ method, path, body, traceparent, headers }: ServerRequest): SentRequest {
    const isMessages = path.startsWith("messages");
    const connection = isMessages ? this.#connectMessages() : this.connection;
    if (body === undefined) {
      const request = { method, path: `/${path}`, headers: this.#sign(method, this.options.baseUrl, path) };
      return connection.request(request);
    }
    const base = isMessages ? this.#messagesUrl : this.options.baseUrl;
    const signed = this.#sign(method, base, path, body);
    return connection.post({
      path: `/${path}`,
      body,
      traceparent,
      headers: signed ? { ...headers, ...signed } : headers,
    });
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

  /** The headers of an AWS signature; undefined where the key itself is sent. */
  #sign(
    method: string,
    baseUrl: string,
    path: string,
    body: RequestBody = "",
  ): Record<string, string> | undefined {
    const { auth, apiKey } = this.options;
    if (auth !== "sigv4" || !apiKey) return undefined;
    if (isStreamed(body)) throw new TypeError("A body that is read while it is sent can't be signed");
    const url = new URL(`${baseUrl}/${path}`);
    return signHeaders({ method, url, body, key: apiKey.reveal(), atMs: this.clock.nowMs() });
  }

  /** Lists the server's models, which costs nothing. @returns the reply's status. */
  async ask(timeoutMs: number): Promise<number> {
    const { "content-type": _, ...headers } = this.headers;
    const address = await this.connection.find?.();
    const lookup = address === undefined ? undefined : pinAddress(address);
    const url = new URL(`${this.options.baseUrl}/models`);
    const signed = this.#sign("GET", this.options.baseUrl, "models");
    const { status } = await requestOnce({ url, headers: { ...headers, ...signed }, lookup, timeoutMs });
    return status;
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

/** Connects to the address that was checked, whatever the host resolves to meanwhile. */
function pinAddress(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, { all }, answer) =>
    all ? answer(null, [{ address, family }]) : answer(null, address, family);
}
