import { invalid } from "../../refusal";
import type { AnthropicRequest, Tool, ToolChoice } from "./content-blocks";
import { boundParameters, boundToolName, boundUser, fitsStrict, LeftOut, MAX_STOPS } from "./receiver-bounds";
import { readCallId } from "./returned-parts";
import { toChatMessages } from "./translate-messages";

/** The largest thinking budgets that are translated to a low and to a medium effort. */
const LOW_BUDGET_TOKENS = 2_048;
const MEDIUM_BUDGET_TOKENS = 8_192;

/** The efforts that receivers know; Anthropic's higher ones become the highest of them. */
const efforts: ReadonlyMap<string, string> = new Map([
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "high"],
  ["max", "high"],
]);

/** A request to answer, or one to count tokens of. */
export type Conversation = Pick<AnthropicRequest, "model" | "messages" | "system" | "tools" | "thinking"> &
  Partial<AnthropicRequest>;

/** What the reply's translation needs of the request. */
export interface MessageFacts {
  /** Whether the caller sees the model's thinking: asked for it, asked for its seal alone, or didn't ask. */
  readonly thinking: "shown" | "omitted" | "off";
  readonly hasTools: boolean;
  /** The caller's names of tools, by those that the receiver got, where they differ. */
  readonly toolNames: Readonly<Record<string, string>>;
  /** The ids of earlier calls, which a server may give again, and clients take for the same. */
  readonly callIds: readonly string[];
  /** The texts that end the answer. */
  readonly stops: readonly string[];
}

interface TranslationAims {
  /** Gets what a chat completion can't say. */
  readonly leftOut?: LeftOut;
  /** Whether the receiver wants a signature with the calls of a turn, or the word that it takes in its place. */
  readonly skipsSignatures?: boolean;
}

interface TranslatedRequest {
  readonly value: Record<string, unknown>;
  readonly facts: MessageFacts;
  /** The providers that gave the earlier answers. */
  readonly origins: ReadonlySet<string>;
}

/**
 * Translates a Messages request to a chat completion request that every receiver accepts.
 * @param accepts whether what a provider wants again of its answers is part of the request.
 * @throws Refusal 400 where the thinking budget exceeds the output limit.
 */
export function translateRequest(
  request: Conversation,
  accepts: (origin: string) => boolean = () => true,
  { leftOut = new LeftOut(), skipsSignatures = false }: TranslationAims = {},
): TranslatedRequest {
  const { system, stop_sequences, tools, metadata, stream } = request;
  const instruction = typeof system === "string" ? system : joinSystemText(system ?? []);
  const origins = new Set<string>();
  const effort = chooseEffort(request, leftOut);
  const format = request.output_config?.format ?? request.output_format;
  const stops = (stop_sequences ?? []).filter(Boolean);
  if (stops.length > MAX_STOPS) leftOut.add(`stop_sequences.${MAX_STOPS}`);
  const value = {
    model: request.model,
    messages: [
      ...(instruction ? [{ role: "system", content: instruction }] : []),
      ...toChatMessages(request.messages, { accepts, origins, leftOut, skipsSignatures }),
    ],
    ...(request.max_tokens !== undefined && { max_tokens: request.max_tokens }),
    ...(stream && { stream, stream_options: { include_usage: true } }),
    ...(typeof request.temperature === "number" && { temperature: request.temperature }),
    ...(typeof request.top_p === "number" && { top_p: request.top_p }),
    ...(stops.length > 0 && { stop: stops.slice(0, MAX_STOPS) }),
    ...(metadata?.user_id && { user: boundUser(metadata.user_id) }),
    ...(tools?.length && { tools: tools.map((tool) => toChatTool(tool, leftOut)) }),
    ...(tools?.length && request.tool_choice && toChatToolChoice(request.tool_choice, leftOut)),
    ...(format && { response_format: toResponseFormat(format.schema, leftOut) }),
    ...(effort && { reasoning_effort: effort }),
  };
  return { value, facts: { ...readFacts(request), stops: stops.slice(0, MAX_STOPS) }, origins };
}

function readFacts({ thinking, tools, messages }: Conversation): Omit<MessageFacts, "stops"> {
  const isOff = !thinking || thinking.type === "disabled";
  const renamed = (tools ?? [])
    .map(({ name }) => [boundToolName(name), name] as const)
    .filter(([bound, name]) => bound !== name);
  return {
    thinking: isOff ? "off" : thinking.display === "omitted" ? "omitted" : "shown",
    hasTools: (tools ?? []).length > 0,
    toolNames: Object.fromEntries(renamed),
    callIds: messages
      .flatMap(({ content }) => (typeof content === "string" ? [] : content))
      .flatMap((block) => (block.type === "tool_use" ? [readCallId(block.id).id] : [])),
  };
}

/** A schema that breaks the rules of `strict` is followed as well as the model can. */
function toResponseFormat(schema: object, leftOut: LeftOut) {
  const strict = fitsStrict(schema);
  if (!strict) leftOut.add("output_config.format.strict");
  return { type: "json_schema", json_schema: { name: "output", schema, strict } };
}

function chooseEffort({ thinking, max_tokens, output_config }: Conversation, leftOut: LeftOut) {
  const asked = output_config?.effort;
  if (asked) {
    const effort = efforts.get(asked);
    if (effort !== asked) leftOut.add(`output_config.effort.${asked}`);
    if (effort) return effort;
  }
  if (thinking?.type !== "enabled") return null;
  const budget = thinking.budget_tokens ?? 0;
  if (max_tokens !== undefined && budget >= max_tokens) {
    const message = "thinking.budget_tokens must be less than max_tokens, of which it is a part.";
    throw invalid("thinking.budget_tokens", message);
  }
  return budget <= LOW_BUDGET_TOKENS ? "low" : budget <= MEDIUM_BUDGET_TOKENS ? "medium" : "high";
}

function joinSystemText(system: Exclude<NonNullable<AnthropicRequest["system"]>, string>): string {
  return system.flatMap((block) => (block.type === "text" && block.text ? [block.text] : [])).join("\n\n");
}

/** Chat completions have no field for examples of an input, so the description ends with them. */
function toChatTool({ name, input_schema, strict, ...tool }: Tool, leftOut: LeftOut) {
  const examples = (tool.input_examples ?? []).map((input) => `Example input: ${JSON.stringify(input)}`);
  const description = [tool.description, ...examples].filter(Boolean).join("\n");
  const parameters = boundParameters(input_schema, (keyword) => leftOut.add(`tools.input_schema.${keyword}`));
  const isFit = fitsStrict(parameters);
  if (strict && !isFit) leftOut.add("tools.strict");
  return {
    type: "function",
    function: {
      name: boundToolName(name),
      ...(description && { description }),
      ...(strict && isFit && { strict }),
      parameters,
    },
  };
}

const toolChoices: ReadonlyMap<string, string> = new Map([
  ["auto", "auto"],
  ["any", "required"],
  ["none", "none"],
]);

function toChatToolChoice({ type, name, disable_parallel_tool_use }: ToolChoice, leftOut: LeftOut) {
  const isNamed = type === "tool" && name !== undefined;
  if (!isNamed && !toolChoices.has(type)) leftOut.add(`tool_choice.${type}`);
  const choice = isNamed
    ? { type: "function", function: { name: boundToolName(name) } }
    : (toolChoices.get(type) ?? "auto");
  return { tool_choice: choice, ...(disable_parallel_tool_use && { parallel_tool_calls: false }) };
}
