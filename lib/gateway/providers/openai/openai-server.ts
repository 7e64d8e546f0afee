import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { ResolveHost } from "../../outbound/allowed-addresses";
import { CheckedHost } from "../checked-host";
import { Http1Client } from "../http1/http1-client";
import { isStreamed, type ProviderRequest, type SentRequest } from "../provider-client";
import type { ProviderServer } from "../provider-kind";
import { isBehindProxy } from "../reach-host";
import { RespondedRequest } from "../responded-request";

const DEFAULT_PATH = "chat/completions";

export interface ServerRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the base address. */
  readonly path: string;
  readonly body?: ProviderRequest["body"];
  readonly traceparent?: string | undefined;
}

/** Sends requests to an OpenAI-compatible server, over our own client or through the machine's proxy. */
export class OpenaiServer {
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the checked address of the host; absent where any address will do. */
  readonly find: (() => string | Promise<string>) | undefined;
  readonly #client: Http1Client | null;
  readonly #basePath: string;

  constructor(
    private readonly server: ProviderServer,
    resolve?: ResolveHost,
  ) {
    const { baseUrl, apiKey, isTrusted } = server;
    this.#basePath = new URL(baseUrl).pathname.replace(/\/$/, "");
    this.headers = {
      "content-type": "application/json",
      // Bytes are passed on as they arrive, so they must not be compressed.
      "accept-encoding": "identity",
      ...(apiKey && { authorization: `Bearer ${apiKey.reveal()}` }),
    };
    const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, "");
    // Where a proxy connects, the proxy resolves the name and has to check the address.
    const isChecked = !isTrusted && !(isBehindProxy() && isIP(host) === 0);
    const checked = isChecked ? new CheckedHost(host, resolve) : null;
    this.find = checked ? () => checked.address ?? checked.find() : undefined;
    this.#client = isBehindProxy()
      ? null
      : new Http1Client(`${baseUrl}/${DEFAULT_PATH}`, this.headers, this.find);
  }

  send({ method, path, body, traceparent }: ServerRequest): SentRequest {
    const client = this.#client;
    if (!client) return this.#sendThroughProxy({ method, path, body, traceparent });
    if (body === undefined) return client.ask(method, `${this.#basePath}/${path}`);
    return client.post(body, {
      path: path === DEFAULT_PATH ? undefined : `${this.#basePath}/${path}`,
      traceparent,
    });
  }

  /** Removes the server's key from text that the server wrote. */
  conceal(text: string): string {
    const { apiKey } = this.server;
    return apiKey ? text.replaceAll(apiKey.reveal(), "***") : text;
  }

  /** Uses `fetch`, which supports proxies. */
  #sendThroughProxy({ method, path, body, traceparent }: ServerRequest): SentRequest {
    return new RespondedRequest(async (signal) => {
      await this.find?.();
      const isStream = body !== undefined && isStreamed(body);
      const headers = {
        ...this.headers,
        ...(traceparent !== undefined && { traceparent }),
        ...(isStream && { "content-type": body.contentType }),
      };
      return fetch(`${this.server.baseUrl}/${path}`, {
        method,
        headers,
        body: isStream ? Readable.toWeb(Readable.from(body.read())) : body,
        signal,
        // A followed redirect would send the provider's key to another host.
        redirect: "manual",
        // The call has its own deadlines.
        timeout: false,
        // `fetch` would decompress the whole reply, however little of it is read.
        decompress: false,
      } as RequestInit);
    });
  }
}
