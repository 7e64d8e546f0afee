import { type EmbeddingRequest, embeddingRequest } from "@/lib/contract/operations/embeddings";
import type { JsonObject } from "../http/parse-json";
import { parseWith } from "../http/parse-with";
import type { ScannedObject } from "../http/scan-json";
import { spliceObject } from "../http/splice-json";
import type { EmbeddingInput, PromptEstimate } from "../providers/prompt-size/estimate-inputs";
import { providerKinds } from "../providers/provider-kinds";
import type { PreparedRequest, PromptReader, RequestFields } from "./prepared-request";
import type { Terms } from "./upstream-body";

/** A request for embeddings whose text stays on this thread. */
class HeldEmbeddingRequest implements PreparedRequest {
  readonly endpoint = "embeddings";
  readonly showsThinking = false;
  readonly lacksMessages = false;
  readonly whole = null;
  readonly fields: RequestFields;

  constructor(
    private readonly text: string,
    private readonly scanned: ScannedObject,
    private readonly request: EmbeddingRequest,
    readonly bodyHash: string | null,
  ) {
    this.fields = { model: request.model };
  }

  estimate({ kind, contextWindow }: PromptReader): PromptEstimate {
    return providerKinds[kind].estimateInputs(inputsOf(this.request.input), contextWindow);
  }

  upstream({ model }: Terms): string {
    if (model === this.request.model) return this.text;
    return spliceObject(this.text, this.scanned, new Map([["model", JSON.stringify(model)]]));
  }

  release(): void {}
}

/** @throws Refusal 400 naming the first invalid field. */
export function readEmbeddingRequest(
  { text, scanned, value }: JsonObject,
  bodyHash: string | null,
): HeldEmbeddingRequest {
  return new HeldEmbeddingRequest(text, scanned, parseWith(embeddingRequest, value), bodyHash);
}

/** Each text, or the number of tokens of an input that is sent as tokens. */
export function inputsOf(input: EmbeddingRequest["input"]): readonly EmbeddingInput[] {
  if (typeof input === "string") return [input];
  if (typeof input[0] === "number") return [input.length];
  return (input as string[] | number[][]).map((one) => (typeof one === "string" ? one : one.length));
}
