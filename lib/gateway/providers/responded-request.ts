import { decompress } from "./decompress";
import type { ProviderReply, SentRequest } from "./provider-client";

/** A request whose reply is a `Response`, from `fetch` or from the sandbox. */
export class RespondedRequest implements SentRequest {
  readonly #abort = new AbortController();
  readonly reply: Promise<ProviderReply>;

  constructor(respond: (signal: AbortSignal) => Promise<Response>) {
    this.reply = respond(this.#abort.signal).then((response) => decompress(toReply(response)));
  }

  cancel(): void {
    this.#abort.abort();
  }
}

function toReply({ status, headers, body }: Response): ProviderReply {
  const reader = body?.getReader();
  const length = headers.get("content-length");
  return {
    status,
    contentLength: length === null ? null : Number(length),
    header: (name) => headers.get(name),
    async read() {
      const next = await reader?.read();
      return next?.value ?? null;
    },
  };
}
