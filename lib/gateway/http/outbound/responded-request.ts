import { decompress } from "./decompress";
import type { SentRequest, ServerReply } from "./server-reply";

/** A request whose reply is a `Response`, from `fetch` or from the sandbox. */
export class RespondedRequest implements SentRequest {
  readonly #abort = new AbortController();
  readonly reply: Promise<ServerReply>;

  constructor(respond: (signal: AbortSignal) => Promise<Response>) {
    this.reply = respond(this.#abort.signal).then((response) => decompress(toReply(response)));
  }

  cancel(): void {
    this.#abort.abort();
  }
}

function toReply({ status, headers, body }: Response): ServerReply {
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
