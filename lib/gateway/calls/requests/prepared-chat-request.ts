import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import { listPromptTexts, type PromptTexts } from "../../providers/prompt-size/prompt-texts";
import { buildUpstreamBody, type Terms } from "./build-upstream-body";
import type { ChatRequest } from "./chat-request";
import { type Counting, estimateForKinds } from "./counting";
import type { CompletionRequest, RequestEstimate } from "./prepared-request";
import { findPricedFeatures } from "./priced-features";

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

  /** @throws Refusal 400 for what the model has no price for. */
  estimate(counting: Counting): RequestEstimate {
    const features = findPricedFeatures(this.request, counting.features);
    const estimate = estimateForKinds(counting, (kind) =>
      kind.estimatePrompt(this.request, counting.contextWindow),
    );
    return { ...estimate, ...features };
  }

  promptTexts(): PromptTexts {
    return listPromptTexts(this.request.value);
  }

  upstream(terms: Terms): string {
    return buildUpstreamBody(this.request, terms);
  }

  release(): void {}
}
