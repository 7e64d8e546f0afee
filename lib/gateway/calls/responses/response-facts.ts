import { isObject } from "@/lib/contract/json-value";
import type { ResponseRequest } from "@/lib/contract/operations/calls/responses";
import { readUsage } from "../usage/read-usage";
import { resolveCache } from "../usage/resolve-usage";
import type { ReadTools, ToolNames } from "./read-response-tools";

type Fields = Readonly<Record<string, unknown>>;

/** What the writing of a response needs of its request. */
export interface ResponseFacts {
  /** The fields of a response that repeat the request, with what was filled in. */
  readonly asked: Fields;
  readonly tools: ToolNames;
  /** The ids of the input's calls, which a server may give again, and clients take for the same. */
  readonly callIds: readonly string[];
  /** Whether thinking is shown as its summary, or as its text. */
  readonly showsSummary: boolean;
  /** Whether thinking comes with what its provider wants again. */
  readonly isSealShown: boolean;
  /** Whether the likelihood of each token is shown. */
  readonly showsLogprobs: boolean;
}

const LOGPROBS = "message.output_text.logprobs";
const SEALED = "reasoning.encrypted_content";

/** What a response repeats of its request. Every key that clients may read is there, also those that are null. */
export function describeAsked(request: ResponseRequest): Fields {
  const { text, reasoning } = request;
  const { effort = null, summary = null } = isObject(reasoning) ? reasoning : {};
  return {
    model: request.model,
    background: request.background ?? false,
    conversation: toConversation(request.conversation),
    frequency_penalty: request.frequency_penalty ?? 0,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    metadata: request.metadata ?? {},
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    presence_penalty: request.presence_penalty ?? 0,
    previous_response_id: request.previous_response_id ?? null,
    prompt: null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    prompt_cache_retention: request.prompt_cache_retention ?? null,
    reasoning: { ...(isObject(reasoning) && reasoning), effort, summary },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: request.service_tier ?? "auto",
    store: false,
    temperature: request.temperature ?? 1,
    text: { ...(isObject(text) && text), format: fillFormat(text?.format) },
    tool_choice: request.tool_choice ?? "auto",
    tools: (request.tools ?? []).map(fillTool),
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: request.truncation ?? "disabled",
    user: request.user ?? null,
  };
}

export function readFacts(request: ResponseRequest, { names }: ReadTools): Omit<ResponseFacts, "callIds"> {
  const { reasoning, include } = request;
  return {
    asked: describeAsked(request),
    tools: names,
    showsSummary: isObject(reasoning) && (reasoning.summary ?? null) !== null,
    isSealShown: include?.includes(SEALED) ?? false,
    showsLogprobs: asksForLogprobs(request),
  };
}

function toConversation(named: ResponseRequest["conversation"]): Fields | null {
  const id = isObject(named) ? named.id : named;
  return id ? { id } : null;
}

/** Whether the likelihood of each token is asked for. */
export function asksForLogprobs({ top_logprobs, include }: ResponseRequest): boolean {
  return Boolean(top_logprobs) || (include?.includes(LOGPROBS) ?? false);
}

function fillFormat(format: Fields | null | undefined): Fields {
  if (!format) return { type: "text" };
  if (format.type !== "json_schema") return format;
  return { ...format, description: format.description ?? null, strict: format.strict ?? false };
}

function fillTool(tool: Fields): Fields {
  if (tool.type === "custom") return { ...tool, format: tool.format ?? { type: "text" } };
  if (tool.type !== "function") return tool;
  const { description = null, parameters = null, strict } = tool;
  return { ...tool, description, parameters, strict: strict === true };
}

/** A usage as responses write it. @param usage of a chat completion, as the gateway passes it on. */
export function toResponseUsage(usage: unknown) {
  if (!isObject(usage)) return null;
  const figures = readUsage(usage);
  const { promptTokens, completionTokens, reasoningTokens = 0 } = figures;
  const [input_tokens, output_tokens] = [promptTokens ?? 0, completionTokens ?? 0];
  const { cachedTokens = 0, cacheWriteTokens } = resolveCache(input_tokens, figures);
  return {
    input_tokens,
    input_tokens_details: {
      cached_tokens: cachedTokens,
      ...(cacheWriteTokens !== undefined && { cache_write_tokens: cacheWriteTokens }),
    },
    output_tokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: input_tokens + output_tokens,
  };
}
