import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import { listPromptTexts, type PromptTexts } from "../../providers/prompt-size/prompt-texts";
import { buildUpstreamBody, type Terms } from "./build-upstream-body";
import type { ChatRequest } from "./chat-request";
import { type Counting, estimateForKinds, findCacheWrite } from "./counting";
import type { CompletionRequest, RequestEstimate } from "./prepared-request";

/** A chat request whose text stays on this thread. */
export class PreparedChatRequest implements CompletionRequest {
  readonly answeredBy = "provider";
  readonly endpoint = "chat/completions";
  readonly protocol = "chat";

  constructor(
    private readonly request: ChatRequest,
    readonly bodyHash: string | null = null,
  ) {}

  get fields(): ChatCompletionRequest {
    return this.request.value;
  }

  get chat(): ChatCompletionRequest {
    return this.request.value;
  }

  estimate(counting: Counting): RequestEstimate {
    const estimate = estimateForKinds(counting, (kind) =>
      kind.estimatePrompt(this.request, counting.contextWindow),
    );
    const cacheWrite = counting.pricesCacheWrites ? findCacheWrite(this.request.text) : undefined;
    return cacheWrite ? { ...estimate, cacheWrite } : estimate;
  }

  promptTexts(): PromptTexts {
    return listPromptTexts(this.request.value);
  }

  upstream(terms: Terms): string {
    return buildUpstreamBody(this.request, terms);
  }

  release(): void {}
}
