import { isObject } from "@/lib/contract/json-value";
import { readUsage } from "../usage/read-usage";
import { resolveCache } from "../usage/resolve-usage";
import { toLifetimes, writeToolCalls } from "../usage/write-usage";

const stopReasons: ReadonlyMap<string, string> = new Map([
  ["stop", "end_turn"],
  ["length", "max_tokens"],
  ["model_length", "max_tokens"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["content_filter", "refusal"],
  ["safety", "refusal"],
  // Servers that translate Anthropic's answers may leave its own reasons as they are.
  ...[
    "max_tokens",
    "tool_use",
    "refusal",
    "stop_sequence",
    "pause_turn",
    "model_context_window_exceeded",
  ].map((reason) => [reason, reason] as const),
]);

/** The members in which a choice tells the text that ended it: vLLM's, SGLang's and Anthropic's. */
const stopMembers = ["stop_reason", "matched_stop", "stop_sequence"] as const;

/**
 * Anthropic's stop reason for a `finish_reason`. Servers answer a tool call that the caller demanded, and some every
 * tool call, with `stop` or a reason of their own; Anthropic's clients run tools only for `tool_use`.
 */
function toStopReason(finishReason: string | null | undefined, callsTools: boolean): string {
  const reason = stopReasons.get((finishReason ?? "stop").toLowerCase()) ?? "end_turn";
  return callsTools && reason === "end_turn" ? "tool_use" : reason;
}

/** How a choice ended, beside its `finish_reason`. */
export type ChoiceEnd = Readonly<
  Partial<Record<(typeof stopMembers)[number] | "native_finish_reason", unknown>>
>;

/** The members of `ChoiceEnd` that a choice has. */
export function pickChoiceEnd(choice: ChoiceEnd): ChoiceEnd {
  const end: Record<string, unknown> = {};
  for (const name of [...stopMembers, "native_finish_reason"] as const)
    if (typeof choice[name] === "string") end[name] = choice[name];
  return end;
}

/** Anthropic's account of how an answer ended. */
export function describeStop(
  choice: ChoiceEnd & { readonly finish_reason?: string | null | undefined },
  { stops, callsTools, isRefused }: { stops: readonly string[]; callsTools: boolean; isRefused: boolean },
) {
  if (isRefused) return { stop_reason: "refusal", stop_sequence: null };
  const reason = toStopReason(choice.finish_reason, callsTools);
  const named = stops.find((stop) => stopMembers.some((name) => choice[name] === stop));
  const isStop = named !== undefined || choice.native_finish_reason === "stop_sequence";
  if (reason !== "stop_sequence" && !(reason === "end_turn" && isStop))
    return { stop_reason: reason, stop_sequence: null };
  const only = stops.length === 1 ? stops[0] : null;
  return { stop_reason: "stop_sequence", stop_sequence: named ?? only };
}

/** The tier that answered, by Anthropic's names; undefined for one that it doesn't have. */
const tiers: ReadonlyMap<unknown, string> = new Map([
  ["default", "standard"],
  ["standard", "standard"],
  ["on_demand", "standard"],
  ["priority", "priority"],
  ["batch", "batch"],
]);

/**
 * Usage in Anthropic's form, whose input tokens are those besides the cached ones.
 * @param usage of a chat completion or its stream, as the gateway passes it on.
 * @param tier the `service_tier` of its reply.
 */
export function toAnthropicUsage(usage: unknown, tier?: unknown) {
  const figures = isObject(usage) ? readUsage(usage) : null;
  const promptTokens = figures?.promptTokens ?? 0;
  const cache = figures ? resolveCache(promptTokens, figures) : {};
  const { cachedTokens: read = 0, cacheWriteTokens: written = 0, cacheWrite1hTokens = 0 } = cache;
  const reasoningTokens = figures?.reasoningTokens;
  const service_tier = tiers.get(tier);
  return {
    input_tokens: promptTokens - read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    ...(written > 0 && { cache_creation: toLifetimes(written, cacheWrite1hTokens) }),
    output_tokens: figures?.completionTokens ?? 0,
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
    ...(figures && writeToolCalls(figures)),
    ...(service_tier && { service_tier }),
  };
}

/** The beginning of the ids of calls whose server gives none. It differs for each message of a conversation. */
export function toCallId(requestId: string): string {
  return requestId.replace(/^req_/, "call_");
}

/** The message id for a request. */
export function toMessageId(requestId: string): string {
  return requestId.replace(/^req_/, "msg_");
}
