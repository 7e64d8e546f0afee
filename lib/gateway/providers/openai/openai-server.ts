import { isIP, type LookupFunction } from "node:net";
import type { ResolveHost } from "../../http/outbound/allowed-addresses";
import { requestOnce } from "../../http/outbound/request-once";
import { ServerConnection } from "../../http/outbound/server-connection";
import type { SentRequest } from "../../http/outbound/server-reply";
import { concealKey } from "../conceal-key";
import type { ProviderRequest } from "../provider-client";
import type { ProviderServer } from "../provider-kind";

const DEFAULT_PATH = "/chat/completions";

export interface ServerRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below the base address. */
  readonly path: string;
  readonly body?: ProviderRequest["body"];
  readonly traceparent?: string | undefined;
}

/** Sends requests to an OpenAI-compatible server. */
export class OpenaiServer {
  readonly headers: Readonly<Record<string, string>>;
  readonly connection: ServerConnection;

  constructor(
    readonly options: ProviderServer,
    resolve?: ResolveHost,
  ) {
    const { apiKey } = options;
    this.headers = {
      "content-type": "application/json",
      // Bytes are passed on as they arrive, so they must not be compressed.
      "accept-encoding": "identity",
      ...(apiKey && { authorization: `Bearer ${apiKey.reveal()}` }),
    };
    this.connection = new ServerConnection(options, this.headers, { usualPath: DEFAULT_PATH, resolve });
  }

  send({ method, path, body, traceparent }: ServerRequest): SentRequest {
    if (body === undefined) return this.connection.request({ method, path: `/${path}` });
    return this.connection.post({ path: `/${path}`, body, traceparent });
  }

  /** Lists the server's models, which costs nothing. @returns the reply's status. */
  async ask(timeoutMs: number): Promise<number> {
    const { "content-type": _, ...headers } = this.headers;
    const address = await this.connection.find?.();
    const lookup = address === undefined ? undefined : pinAddress(address);
    const url = new URL(`${this.options.baseUrl}/models`);
    const { status } = await requestOnce({ url, headers, lookup, timeoutMs });
    return status;
  }

  /** Removes the server's key from text that the server wrote. */
  conceal(text: string): string {
    return concealKey(text, this.options);
  }
}

/** Connects to the address that was checked, whatever the host resolves to meanwhile. */
function pinAddress(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, { all }, answer) =>
    all ? answer(null, [{ address, family }]) : answer(null, address, family);
}
