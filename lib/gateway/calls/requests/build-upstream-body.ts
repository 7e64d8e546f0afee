import type { OmittableField } from "@/lib/contract/calls/omittable-fields";
import type { CallProtocol } from "@/lib/contract/calls/provider-protocols";
import { type OutputLimitField, outputLimitFields } from "@/lib/contract/operations/models/providers";
import { spliceObject } from "../../http/splice-json";
import type { ChatRequest } from "./chat-request";

/** The parts of the body that the route and the hold determine. */
export interface Terms {
  /** The protocol in which the provider is asked. */
  readonly protocol: CallProtocol;
  /** The provider's address. */
  readonly baseUrl: string;
  /** The model's name at the provider. */
  readonly model: string;
  /** The output limit of one choice, null for none, and the request field for it. */
  readonly maxTokens: number | null;
  readonly outputLimitField: OutputLimitField;
  /** Fields of the gateway that the provider refuses. */
  readonly leftOut: readonly OmittableField[];
}

/**
 * The body for the provider: the caller's own text, except for what routing and pricing must change. These are the
 * model's name, the output limit under one name, usage at a stream's end, and `prompt` as a first system message.
 */
export function buildUpstreamBody({ text, scanned, value }: ChatRequest, terms: Terms): string {
  const changes = new Map<string, string | null>();
  if (terms.model !== value.model) changes.set("model", JSON.stringify(terms.model));
  const isUsageAsked = !terms.leftOut.includes("stream_options");
  if (value.stream && isUsageAsked && value.stream_options?.include_usage !== true) {
    changes.set("stream_options", JSON.stringify({ ...value.stream_options, include_usage: true }));
  }
  for (const field of outputLimitFields) {
    const limit = field === terms.outputLimitField ? terms.maxTokens : null;
    if (limit !== null && value[field] !== limit) changes.set(field, String(limit));
    if (limit === null && value[field] !== undefined) changes.set(field, null);
  }
  for (const field of terms.leftOut) if (scanned.members.has(field)) changes.set(field, null);
  const messages = scanned.members.get("messages");
  if (typeof value.prompt === "string" && messages) {
    const instruction = value.prompt && `${JSON.stringify({ role: "system", content: value.prompt })},`;
    changes.set("messages", `[${instruction}${text.slice(messages.valueStart + 1, messages.end)}`);
    changes.set("prompt", null);
  }
  return spliceObject(text, scanned, changes);
}
