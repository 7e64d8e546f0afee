import {
  type EmbeddingForm,
  type EmbeddingRequest,
  embeddingRequest,
} from "@/lib/contract/operations/calls/embeddings";
import { type ModerationRequest, moderationRequest } from "@/lib/contract/operations/calls/moderations";
import { type JsonObject, type ScannedObject, spliceObject } from "../../http/json";
import { parseWith } from "../../http/parse-with";
import type {
  EmbeddingInput,
  PromptEstimate,
  PromptTexts,
} from "../../providers/prompt-size/estimate-prompt";
import type { Endpoint } from "../../providers/provider-client";
import {
  type CompletionRequest,
  type Counting,
  estimateForKinds,
  type RequestFields,
  type Terms,
} from "./prepared-request";

/** A request with inputs instead of a conversation, whose text stays on this thread. */
class InputRequest implements CompletionRequest {
  readonly answeredBy = "provider";

  constructor(
    readonly endpoint: Endpoint,
    private readonly body: { readonly text: string; readonly scanned: ScannedObject },
    readonly fields: RequestFields,
    private readonly inputs: readonly EmbeddingInput[],
    readonly bodyHash: string | null,
    readonly embeddingForm?: EmbeddingForm,
  ) {}

  estimate(counting: Counting): PromptEstimate {
    return estimateForKinds(counting, (kind) => kind.estimateInputs(this.inputs, counting.contextWindow));
  }

  promptTexts(): PromptTexts | null {
    const texts = this.inputs.filter((input) => typeof input === "string");
    return texts.length === this.inputs.length ? { texts, messages: 0 } : null;
  }

  upstream({ model, leftOut }: Terms): string {
    const { text, scanned } = this.body;
    const changes = new Map<string, string | null>();
    if (model !== this.fields.model) changes.set("model", JSON.stringify(model));
    for (const field of leftOut) if (scanned.members.has(field)) changes.set(field, null);
    return spliceObject(text, scanned, changes);
  }

  release(): void {}
}

/** @throws Refusal 400 naming the first invalid field. */
export function readEmbeddingRequest(body: JsonObject, bodyHash: string | null): InputRequest {
  const { model, input, encoding_format } = parseWith(embeddingRequest, body.value);
  // Vectors of other types, such as Voyage's output_dtype, are base64 of something else.
  const hasOwnType = Object.keys(body.value).some((name) => /dtype|embedding_types/i.test(name));
  const form = hasOwnType ? undefined : (encoding_format ?? "float");
  return new InputRequest("embeddings", body, { model }, listInputs(input), bodyHash, form);
}

/** @throws Refusal 400 naming the first invalid field. */
export function readModerationRequest(body: JsonObject, bodyHash: string | null): InputRequest {
  const { model, input } = parseWith(moderationRequest, body.value);
  return new InputRequest("moderations", body, { model }, readTexts(input), bodyHash);
}

/** Each text, or the number of tokens of an input that is sent as tokens. */
function listInputs(input: EmbeddingRequest["input"]): readonly EmbeddingInput[] {
  if (typeof input === "string") return [input];
  if (typeof input[0] === "number") return [input.length];
  return (input as string[] | number[][]).map((one) => (typeof one === "string" ? one : one.length));
}

function readTexts(input: ModerationRequest["input"]): readonly string[] {
  if (typeof input === "string") return [input];
  return input.map((one) => (typeof one === "string" ? one : one.text));
}
