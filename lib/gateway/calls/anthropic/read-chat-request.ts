import { isObject } from "@/lib/contract/json-value";
import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import type { Block, Message } from "./content-blocks";
import { readChatMessages } from "./read-chat-messages";
import { boundCacheMarks, boundParameters, boundToolName, boundUser, type LeftOut } from "./receiver-bounds";
import type { Conversation } from "./translate-request";

type Fields = Readonly<Record<string, unknown>>;

/** What the translation of a message to a chat completion needs of the request. */
export interface ChatReplyFacts {
  /** The client's names of tools, by those that the receiver got, where they differ. */
  readonly toolNames: Readonly<Record<string, string>>;
  /** The tools that take a text instead of arguments. */
  readonly customTools: readonly string[];
  /** The tool by which an answer as JSON was asked for; null for none. */
  readonly jsonTool: string | null;
}

/** How a chat is written for one receiver. */
interface ChatAims {
  readonly origin: string;
  /** The model's name there, and the most that it may write. */
  readonly model: string;
  readonly maxTokens: number;
  readonly leftOut: LeftOut;
}

interface ReadChat {
  readonly conversation: Conversation & { readonly top_k?: number; readonly cache_control?: unknown };
  readonly facts: ChatReplyFacts;
}

const JSON_TOOL = "json_output";
/** Fields that are read, or say nothing to a model. Others are left out by their name. */
const known = new Set(
  "model messages prompt stream stream_options max_tokens max_completion_tokens n temperature top_p top_k stop tools tool_choice parallel_tool_calls response_format reasoning_effort reasoning thinking user safety_identifier callback_url store cache_control".split(
    " ",
  ),
);

/** Reads a chat request as a conversation in the form of messages. @throws Refusal 400 for what can't be carried. */
export function readChatRequest(chat: ChatCompletionRequest, aims: ChatAims): ReadChat {
  const value = chat as ChatCompletionRequest & Fields;
  const { leftOut, maxTokens } = aims;
  nameLeftOut(value, leftOut);
  const { system, messages } = readChatMessages(value.messages, aims);
  const asked = (Array.isArray(value.tools) ? value.tools : []).filter(isObject);
  const ownTools = asked.map((tool) => readTool(tool, leftOut));
  const format = readFormat(value.response_format, leftOut);
  const prompt: Block[] =
    typeof value.prompt === "string" && value.prompt ? [{ type: "text", text: value.prompt }] : [];
  const instruction = [...prompt, ...system, ...(format.instruction ? [format.instruction] : [])];
  const { tools, choice } = chooseTools({ value, ownTools, formatTool: format.tool, messages }, leftOut);
  const isForced = choice?.type === "any" || choice?.type === "tool";
  const thinking = chooseThinking(value, aims, { isForced, messages });
  const stops = [value.stop].flat().filter((stop): stop is string => typeof stop === "string");
  if (stops.some((stop) => stop.trim() === "")) leftOut.add("stop");
  const user = [value.user, value.safety_identifier].find((id) => typeof id === "string" && id !== "");
  const conversation = {
    model: aims.model,
    max_tokens: maxTokens,
    ...(instruction.length > 0 && { system: instruction as Conversation["system"] }),
    messages: [...messages],
    ...(value.stream === true && { stream: true }),
    ...chooseSampling(value, leftOut, thinking.thinking !== undefined),
    ...(stops.some((stop) => stop.trim()) && { stop_sequences: stops.filter((stop) => stop.trim()) }),
    ...(user !== undefined && { metadata: { user_id: boundUser(String(user)) } }),
    ...(tools.length > 0 && {
      tools: tools.map(({ tool }) => tool) as NonNullable<Conversation["tools"]>,
    }),
    ...(tools.length > 0 && choice && { tool_choice: choice }),
    ...withOutputConfig(thinking.effort, format.schema),
    ...(thinking.thinking && { thinking: thinking.thinking }),
    ...(value.cache_control ? { cache_control: value.cache_control } : {}),
  };
  boundCacheMarks(conversation, leftOut);
  const renamed = ownTools.flatMap(({ tool, name }) =>
    tool.name === name ? [] : [[tool.name, name] as const],
  );
  const customTools = ownTools.flatMap(({ tool, isCustom }) => (isCustom ? [tool.name] : []));
  const jsonTool = tools.some(({ tool }) => tool === format.tool?.tool) ? JSON_TOOL : null;
  return { conversation, facts: { toolNames: Object.fromEntries(renamed), customTools, jsonTool } };
}

interface ToolWishes {
  readonly value: Fields;
  readonly ownTools: readonly ReadTool[];
  /** The tool that takes an answer as JSON; absent if none is needed. */
  readonly formatTool: ReadTool | undefined;
  readonly messages: readonly Message[];
}

/**
 * The tools that a receiver gets, and which of them it must call. An answer as JSON is demanded, but the client's own
 * tools may be called before it. A receiver wants the tools of earlier calls, even if none may be called any more.
 */
function chooseTools({ value, ownTools, formatTool, messages }: ToolWishes, leftOut: LeftOut) {
  const choice = readToolChoice(value, leftOut);
  if (!formatTool) {
    if (ownTools.length > 0) return { tools: ownTools, choice };
    const tools = listCalledTools(messages);
    return { tools, choice: tools.length > 0 ? { type: "none" } : undefined };
  }
  if (choice?.type === "tool") {
    leftOut.add("response_format");
    return { tools: ownTools, choice };
  }
  const mayCall = ownTools.length > 0 && choice?.type !== "none";
  const demanded = mayCall ? { ...choice, type: "any" } : { type: "tool", name: JSON_TOOL };
  return { tools: [...ownTools, formatTool], choice: demanded };
}

function listCalledTools(messages: readonly Message[]): ReadTool[] {
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const names = new Set(blocks.flatMap((block) => (block.type === "tool_use" ? [block.name] : [])));
  return [...names].map((name) => ({
    tool: { name, input_schema: { type: "object" } },
    name,
    isCustom: false,
  }));
}

function nameLeftOut(value: Fields, leftOut: LeftOut): void {
  for (const [name, given] of Object.entries(value)) {
    const saysNothing =
      given === null || given === undefined || given === false || given === 0 || given === "";
    const isUsual =
      (name === "service_tier" && (given === "auto" || given === "default")) || name === "modalities";
    if (!known.has(name) && !saysNothing && !isUsual) leftOut.add(name);
  }
  if (typeof value.n === "number" && value.n > 1) leftOut.add("n");
}

interface ReadTool {
  readonly tool: { readonly name: string } & Fields;
  readonly name: string;
  readonly isCustom: boolean;
}

/** A tool that takes a text gets it as its only argument. */
function readTool(sent: Fields, leftOut: LeftOut): ReadTool {
  const { type, function: called, custom } = sent;
  const isCustom = type === "custom";
  const given = isObject(custom) && isCustom ? custom : isObject(called) ? called : {};
  const name = String(given.name);
  const text = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };
  const parameters = isObject(given.parameters) ? given.parameters : {};
  const onLost = (keyword: string) => leftOut.add(`tools.function.parameters.${keyword}`);
  const schema = isCustom ? text : boundParameters(parameters, onLost);
  const isStrict = given.strict === true && fitsStructured(schema);
  if (given.strict === true && !isStrict) leftOut.add("tools.function.strict");
  if (isObject(given.format) && given.format.type !== "text") leftOut.add("tools.custom.format");
  const cache_control = sent.cache_control ?? given.cache_control;
  const tool = {
    name: boundToolName(name),
    ...(typeof given.description === "string" && given.description && { description: given.description }),
    // Receivers refuse a strict schema that names its dialect.
    input_schema: isStrict ? toStructured(schema, () => {}) : schema,
    ...(isStrict && { strict: true }),
    ...(cache_control ? { cache_control } : {}),
  };
  return { tool, name, isCustom };
}

const choices: Readonly<Record<string, string>> = { auto: "auto", none: "none", required: "any" };

function readToolChoice({ tool_choice: asked, parallel_tool_calls }: Fields, leftOut: LeftOut) {
  const disabled = parallel_tool_calls === false;
  const parallel = disabled && { disable_parallel_tool_use: true };
  if (typeof asked === "string") {
    const type = choices[asked] ?? "auto";
    return type === "none" ? { type } : { type, ...parallel };
  }
  if (!isObject(asked)) return disabled ? { type: "auto", ...parallel } : undefined;
  const { name } = isObject(asked.function) ? asked.function : isObject(asked.custom) ? asked.custom : {};
  if (typeof name === "string") return { type: "tool", name: boundToolName(name), ...parallel };
  leftOut.add(`tool_choice.${String(asked.type)}`);
  return { type: "auto", ...parallel };
}

interface ReadFormat {
  readonly schema?: Fields;
  readonly tool?: ReadTool;
  readonly instruction?: Block;
}

/** A schema that isn't closed, which receivers refuse as a format, is asked for as the input of a tool. */
function readFormat(format: unknown, leftOut: LeftOut): ReadFormat {
  if (!isObject(format) || format.type === "text") return {};
  const { schema, strict, description } = isObject(format.json_schema) ? format.json_schema : {};
  if (format.type === "json_schema" && isObject(schema)) {
    if (schema.type === "object" && isClosed(schema)) {
      const onMoved = (keyword: string) => leftOut.add(`response_format.json_schema.schema.${keyword}`);
      return { schema: toStructured(schema, onMoved) as Fields };
    }
    if (strict === true) leftOut.add("response_format.json_schema.strict");
    const onLost = (keyword: string) => leftOut.add(`response_format.json_schema.schema.${keyword}`);
    const tool = {
      name: JSON_TOOL,
      description: ["Gives the answer.", description].filter(Boolean).join(" "),
      input_schema: boundParameters(schema, onLost),
    };
    return { tool: { tool, name: JSON_TOOL, isCustom: false } };
  }
  if (format.type === "json_object")
    return { instruction: { type: "text", text: "Answer with one JSON object and nothing else." } };
  leftOut.add(`response_format.${String(format.type)}`);
  return {};
}

function withOutputConfig(effort: string | undefined, schema: Fields | undefined) {
  if (!effort && !schema) return {};
  const format = schema && { format: { type: "json_schema" as const, schema } };
  return { output_config: { ...(effort && { effort }), ...format } };
}

/** Receivers take one of two samplings, up to 1, and none beside thinking. */
function chooseSampling({ temperature, top_p, top_k }: Fields, leftOut: LeftOut, isThinking: boolean) {
  const given = { temperature, top_p, top_k };
  if (isThinking) {
    for (const [name, value] of Object.entries(given))
      if (typeof value === "number" && value !== 1) leftOut.add(name);
    return {};
  }
  const hasTemperature = typeof temperature === "number";
  if (hasTemperature && temperature > 1) leftOut.add("temperature");
  if (hasTemperature && typeof top_p === "number") leftOut.add("top_p");
  return {
    ...(hasTemperature && { temperature: Math.min(temperature, 1) }),
    ...(!hasTemperature && typeof top_p === "number" && { top_p }),
    ...(typeof top_k === "number" && { top_k }),
  };
}

/** Models of Anthropic's that think by a budget of tokens alone. Later ones choose it by themselves, by an effort. */
const BY_BUDGET = /claude-(?:[23]|(?:opus|sonnet|haiku)-(?:4(?:$|-(?:[0-5]($|\D)|20\d{6}|latest))))/;
const budgets: Readonly<Record<string, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
};
const MIN_BUDGET = 1_024;

function chooseThinking(
  value: Fields,
  { model, maxTokens, leftOut }: ChatAims,
  { isForced, messages }: { isForced: boolean; messages: Conversation["messages"] | readonly unknown[] },
): { thinking?: NonNullable<Conversation["thinking"]>; effort?: string } {
  const { thinking: own, reasoning } = value;
  const { effort: ofReasoning, enabled } = isObject(reasoning) ? reasoning : {};
  const effort = value.reasoning_effort ?? ofReasoning ?? (enabled === true ? "medium" : undefined);
  const isOwn = isObject(own) && typeof own.type === "string" && own.type !== "disabled";
  const isAsked = typeof effort === "string" && effort !== "none" && enabled !== false;
  if (!isOwn && !isAsked) return {};
  const named = isOwn ? "thinking" : value.reasoning_effort ? "reasoning_effort" : "reasoning";
  // A forced tool leaves no room to think, and a call that is answered needs the thinking that led to it.
  if (isForced || lacksThinking(messages as Conversation["messages"])) {
    leftOut.add(named);
    return {};
  }
  if (isOwn) return { thinking: own as NonNullable<Conversation["thinking"]> };
  const asked = String(effort);
  if (model.includes("claude") && !BY_BUDGET.test(model))
    return { thinking: { type: "adaptive" }, effort: asked === "minimal" ? "low" : asked };
  const budget = Math.min(budgets[asked] ?? 8_192, maxTokens - MIN_BUDGET);
  if (budget < MIN_BUDGET) {
    leftOut.add(named);
    return {};
  }
  return { thinking: { type: "enabled", budget_tokens: budget } };
}

/** Whether the answer's beginning, or the calls before it, would have to begin with thinking that isn't there. */
function lacksThinking(messages: Conversation["messages"]): boolean {
  const last = messages.findLast(({ role }) => role === "assistant");
  const content = last?.content;
  if (!Array.isArray(content)) return false;
  if (last !== messages.at(-1) && !content.some(({ type }) => type === "tool_use")) return false;
  const first = content[0]?.type;
  return first !== "thinking" && first !== "redacted_thinking";
}

/** What Anthropic's structured outputs take of a schema. Their API refuses every other keyword. */
const keywords = new Set(
  "type properties required additionalProperties items anyOf allOf enum const description title $ref $defs definitions default".split(
    " ",
  ),
);
const formats = new Set("date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "));

/** Whether a schema can be one of Anthropic's structured outputs as it is. */
function fitsStructured(schema: unknown): boolean {
  let isWhole = true;
  toStructured(schema, () => {
    isWhole = false;
  });
  return isWhole && isClosed(schema);
}

/** Whether each object takes the fields that it names and no others. */
function isClosed(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  if ((schema.type === "object" || schema.properties !== undefined) && schema.additionalProperties !== false)
    return false;
  return listInner(schema).every(isClosed);
}

function listInner({ properties, $defs, definitions, items, anyOf, oneOf, allOf }: Fields): unknown[] {
  const named = [properties, $defs, definitions]
    .filter(isObject)
    .flatMap((schemas) => Object.values(schemas));
  return [...named, items, ...[anyOf, oneOf, allOf].flat()];
}

/**
 * A schema that structured outputs take. A bound that they don't take is told to the model in the description, as
 * Anthropic's own libraries tell it, and named by `onMoved`, since the answer may break it.
 */
function toStructured(schema: unknown, onMoved: (keyword: string) => void): unknown {
  if (!isObject(schema)) return schema;
  const kept: Record<string, unknown> = {};
  const moved: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "$schema" || keyword === "$id") continue;
    if (keyword === "oneOf") kept.anyOf = value;
    else if (isTaken(keyword, value)) kept[keyword] = value;
    else {
      moved.push(`${keyword}: ${JSON.stringify(value)}`);
      onMoved(keyword);
    }
  }
  for (const name of ["properties", "$defs", "definitions"] as const) {
    const schemas = kept[name];
    if (isObject(schemas))
      kept[name] = Object.fromEntries(
        Object.entries(schemas).map(([key, inner]) => [key, toStructured(inner, onMoved)]),
      );
  }
  if (kept.items !== undefined) kept.items = toStructured(kept.items, onMoved);
  for (const name of ["anyOf", "allOf"] as const)
    if (Array.isArray(kept[name])) kept[name] = kept[name].map((inner) => toStructured(inner, onMoved));
  if (moved.length > 0)
    kept.description = [schema.description, `{${moved.join(", ")}}`].filter(Boolean).join("\n\n");
  return kept;
}

function isTaken(keyword: string, value: unknown): boolean {
  if (keyword === "format") return formats.has(String(value));
  if (keyword === "minItems") return value === 0 || value === 1;
  return keywords.has(keyword);
}
