import type { ChatCompletionRequest } from "@/lib/contract/operations/completions";
import type { Endpoint } from "../../providers/provider-client";
import type { PreparedRequest } from "./prepared-request";

/** A request at an endpoint that only media models serve. A task carries it out. */
export class OrderRequest implements PreparedRequest {
  readonly showsThinking = false;
  readonly lacksMessages = true;

  constructor(
    readonly endpoint: Endpoint,
    readonly whole: ChatCompletionRequest,
    readonly bodyHash: string | null,
  ) {}

  get fields(): ChatCompletionRequest {
    return this.whole;
  }

  estimate(): never {
    throw new TypeError(`/v1/${this.endpoint} has no prompt to count`);
  }

  upstream(): never {
    throw new TypeError(`A request at /v1/${this.endpoint} is sent by its task`);
  }

  release(): void {}
}
