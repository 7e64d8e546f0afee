import { isObject } from "@/lib/contract/json-value";
import { parseBounded } from "../../http/json";
import { readUsage, toLifetimes, writeToolCalls } from "../usage/read-usage";
import { resolveCache } from "../usage/resolve-usage";

/** A block as its start event shows it, and the text of a tool call's input so far. */
export interface StreamedBlock {
  readonly start:
    | { readonly type: "text"; readonly text: "" }
    /** A refusal that is no text, which messages don't have. */
    | { readonly type: "refusal"; readonly refusal: "" }
    | { readonly type: "thinking"; readonly thinking: ""; readonly signature: "" }
    | { readonly type: "redacted_thinking"; readonly data: string }
    | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object };
  text: string;
  /** The seal of a thinking block, asked for once no more of it can come. */
  readonly sign?: () => string;
}

/** Writes the events of one block in the protocol of the client. */
export interface BlockWriter {
  begin(block: StreamedBlock, index: number): string;
  fill(block: StreamedBlock, piece: string, index: number): string;
  close(block: StreamedBlock, index: number): string;
}

/**
 * Writes the blocks of a streamed answer one after another, as clients of messages and of responses expect them. Chat
 * completions may alternate between tool calls: what comes while an unfinished call is open waits for the end.
 */
export class MessageBlocks {
  #open: StreamedBlock | null = null;
  #index = 0;
  #waiting: StreamedBlock[] = [];
  readonly #finished = new Set<StreamedBlock>();

  constructor(private readonly writer: BlockWriter = anthropicBlocks) {}

  /** Whether an unfinished block will be signed when it ends. */
  get isSigning(): boolean {
    return this.#open?.sign !== undefined || this.#waiting.some(({ sign }) => sign);
  }

  /** @returns the resulting events as text. */
  add(block: StreamedBlock, piece: string): string {
    if (this.#finished.has(block)) return "";
    const isCall = block.start.type === "tool_use";
    if (block !== this.#open && this.#mustWait()) {
      if (!this.#waiting.includes(block)) this.#waiting.push(block);
      block.text += piece;
      return "";
    }
    if (isCall) block.text += piece;
    return this.#begin(block) + (piece && this.writer.fill(block, piece, this.#index));
  }

  /** Ends the open block and writes those that waited. @returns the resulting events as text. */
  end(): string {
    let events = this.#close();
    for (const block of this.#waiting) {
      events +=
        this.#begin(block) + (block.text && this.writer.fill(block, block.text, this.#index)) + this.#close();
    }
    this.#waiting = [];
    return events;
  }

  /** Once a block waits, the others do, too: so an input is parsed once for each call. */
  #mustWait(): boolean {
    if (this.#waiting.length > 0) return true;
    return this.#open?.start.type === "tool_use" && !isWhole(this.#open.text);
  }

  #begin(block: StreamedBlock): string {
    if (this.#open === block) return "";
    const events = this.#close();
    this.#open = block;
    return events + this.writer.begin(block, this.#index);
  }

  #close(): string {
    const block = this.#open;
    if (block === null) return "";
    if (block.start.type === "tool_use") this.#finished.add(block);
    this.#open = null;
    return this.writer.close(block, this.#index++);
  }
}

/** The events of Anthropic's streams. */
const anthropicBlocks: BlockWriter = {
  begin: ({ start }, index) => writeEvent("content_block_start", { index, content_block: start }),
  fill({ start: { type } }, piece, index) {
    const delta =
      type === "text"
        ? { type: "text_delta", text: piece }
        : type === "thinking"
          ? { type: "thinking_delta", thinking: piece }
          : { type: "input_json_delta", partial_json: piece };
    return writeEvent("content_block_delta", { index, delta });
  },
  close({ sign }, index) {
    const delta = sign && { type: "signature_delta", signature: sign() };
    const signature = delta ? writeEvent("content_block_delta", { index, delta }) : "";
    return signature + writeEvent("content_block_stop", { index });
  },
};

function isWhole(json: string): boolean {
  try {
    parseBounded(json);
    return true;
  } catch {
    return false;
  }
}

/** An event of Anthropic's streams. */
export function writeEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

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
