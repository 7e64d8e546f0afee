import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import type { Endpoint } from "../../providers/provider-client";
import type { OrderRequest, PreparedRequest } from "./prepared-request";

/** An order whose text stays on this thread. */
export class PreparedOrder implements OrderRequest {
  readonly answeredBy = "task";

  constructor(
    readonly endpoint: Endpoint,
    readonly order: ChatCompletionRequest,
    readonly bodyHash: string | null,
  ) {}

  get fields(): ChatCompletionRequest {
    return this.order;
  }

  release(): void {}
}

/** The order in a request to a model that makes files. The request is still the one to release. */
export function toOrder(request: PreparedRequest): OrderRequest {
  if (request.answeredBy === "task") return request;
  const { endpoint, fields, bodyHash, chat = null } = request;
  return { answeredBy: "task", endpoint, fields, bodyHash, order: chat, release() {} };
}
