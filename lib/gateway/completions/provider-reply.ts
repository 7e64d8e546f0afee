import type { Deadline } from "../http/deadline";
import { Refusal } from "../ports/refusal";
import type { ProviderClient } from "../providers/provider-client";
import { providerFailed, providerTooSlow, refusalOfReply } from "./provider-failure";

/** How long a provider may be silent: before its first byte, and between two. */
export interface Deadlines {
  readonly firstByteMs: number;
  readonly idleMs: number;
}

export const usualDeadlines: Deadlines = { firstByteMs: 60_000, idleMs: 60_000 };

const MAX_ERROR_BYTES = 64 * 1024;

/** Why a call to a provider was broken off by the gateway. */
export type Cutoff = "client gone" | "too slow";

/** One connection to a provider, ended by whoever has a reason first. */
export class ProviderConnection {
  readonly #abort = new AbortController();
  #cutoff: Cutoff | null = null;

  get cutoff(): Cutoff | null {
    return this.#cutoff;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  cut(reason: Cutoff): void {
    this.#cutoff ??= reason;
    this.close();
  }

  close(): void {
    this.#abort.abort();
  }

  /** Waits for something of the provider's. @throws Refusal 502 or 504 for whatever goes wrong with it. */
  async attempt<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw this.#cutoff === "too slow" ? providerTooSlow() : providerFailed(error);
    }
  }
}

/** A 200 of the provider. @throws Refusal for any other status, and whatever the connection throws. */
export async function fetchReply(
  client: ProviderClient,
  call: { requestId: string; body: string; stream: boolean },
  connection: ProviderConnection,
): Promise<Response> {
  const reply = await connection.attempt(client.complete(call, connection.signal));
  if (reply.status === 200) return reply;
  const body = await readBounded(reply, MAX_ERROR_BYTES).catch(() => new Uint8Array());
  throw refusalOfReply(reply.status, reply.headers, new TextDecoder().decode(body));
}

/** Reads a reply's body whole. @throws Refusal 502 beyond `limit` bytes. */
export async function readBounded(
  reply: Response,
  limit: number,
  deadline?: Deadline,
): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(reply.headers.get("content-length") ?? Number.NaN);
  // A length that was announced is kept to by the connection, unless the body is compressed.
  if (announced <= limit && !reply.headers.has("content-encoding")) {
    return reply.bytes();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of reply.body ?? []) {
    deadline?.renew();
    size += chunk.byteLength;
    if (size > limit) throw providerFailed(`The provider sent more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
