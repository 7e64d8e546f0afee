import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import { scanObject } from "../../http/scan-json";
import { listPromptTexts, type PromptTexts } from "../../providers/prompt-size/prompt-texts";
import { LeftOut } from "../anthropic/left-out";
import { readChatRequest } from "../anthropic/read-chat-request";
import { CALL_MARK, toOrigin } from "../anthropic/returned-parts";
import { buildUpstreamBody, type Terms } from "./build-upstream-body";
import type { ChatRequest } from "./chat-request";
import { type Counting, estimateForKinds } from "./counting";
import type { CompletionRequest, RequestEstimate } from "./prepared-request";
import { findPricedFeatures } from "./priced-features";

/** The output limit of a receiver that needs one, where nobody has named any. */
const MIN_OUTPUT = 4_096;

/** A chat request whose text stays on this thread. */
export class PreparedChatRequest implements CompletionRequest {
  readonly answeredBy = "provider";
  readonly endpoint = "chat/completions";
  readonly protocol = "chat";
  leftOut: CompletionRequest["leftOut"];
  chatReply: CompletionRequest["chatReply"];

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

  /** @throws Refusal 400 for what can't be translated. */
  upstream(terms: Terms): string {
    if (terms.protocol === "messages") return this.#writeMessage(terms);
    this.leftOut = undefined;
    const { text } = this.request;
    return buildUpstreamBody(text.includes(CALL_MARK) ? withoutSeals(this.request) : this.request, terms);
  }

  #writeMessage({ baseUrl, model, maxTokens }: Terms): string {
    const leftOut = new LeftOut();
    const aims = { origin: toOrigin(baseUrl), model, maxTokens: maxTokens ?? MIN_OUTPUT, leftOut };
    const { conversation, facts } = readChatRequest(this.request.value, aims);
    this.leftOut = leftOut.names;
    this.chatReply = facts;
    return JSON.stringify(conversation);
  }

  release(): void {}
}

const SEALED_ID = /("(?:id|tool_call_id)"\s*:\s*"[^"\\]*?)__gh1_[\w-]+"/g;

/** The ids of calls as their provider gave them: what was sealed in them is for that provider alone. */
function withoutSeals(request: ChatRequest): ChatRequest {
  const text = request.text.replaceAll(SEALED_ID, '$1"');
  return { ...request, text, scanned: scanObject(text) };
}
