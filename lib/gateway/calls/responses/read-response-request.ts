import { isObject } from "@/lib/contract/json-value";
import type { ResponseRequest } from "@/lib/contract/operations/calls/responses";
import { invalid } from "../../refusal";
import { boundUser, LeftOut } from "../anthropic/receiver-bounds";
import { readCallId } from "../anthropic/returned-parts";
import { type ItemAims, readItems, toChatMessages } from "./read-items";
import { readResponseTools } from "./read-response-tools";
import { asksForLogprobs, type ResponseFacts, readFacts } from "./response-facts";

type Fields = Readonly<Record<string, unknown>>;

/** For which server a request is written as a chat. */
export interface ChatAims extends Pick<ItemAims, "accepts" | "keepsSealedIds" | "unsigned"> {
  /** Whether tools that a provider would run are refused, in place of leaving them out. */
  readonly refusesHostedTools?: boolean | undefined;
}

interface ReadResponse {
  /** The fields of the chat. */
  readonly chat: Fields & { readonly model: string };
  readonly facts: ResponseFacts;
  readonly leftOut: readonly string[];
  /** The servers whose thinking is in the input. */
  readonly origins: ReadonlySet<string>;
}

/** Fields that are read here or elsewhere, or say nothing to a model. Others are left out by their name. */
const known = new Set(
  "model input instructions stream stream_options store background previous_response_id conversation include max_output_tokens max_tool_calls temperature top_p presence_penalty frequency_penalty top_logprobs tools tool_choice parallel_tool_calls text reasoning truncation service_tier metadata user safety_identifier prompt_cache_key prompt_cache_retention".split(
    " ",
  ),
);

/** Fields that have the same name and meaning in a chat. */
const shared = [
  "temperature",
  "top_p",
  "presence_penalty",
  "frequency_penalty",
  "service_tier",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
] as const;

/** Reads a request of the Responses API as one of chat completions. @throws Refusal 400 for what can't be told. */
export function readResponseRequest(
  request: ResponseRequest,
  aims: ChatAims & Pick<ItemAims, "earlierItems">,
): ReadResponse {
  if (request.truncation === "auto")
    throw invalid(
      "truncation",
      "This model's provider shortens no input. Send truncation as disabled, and an input that fits.",
    );
  const leftOut = new LeftOut();
  for (const name in request) if (!known.has(name)) leftOut.note(name, request[name]);
  const items = typeof request.input === "string" ? [toUserItem(request.input)] : (request.input ?? []);
  const origins = new Set<string>();
  const { instructions } = request;
  const messages = [
    ...(instructions ? [{ role: "system", content: instructions }] : []),
    ...toChatMessages(readItems(items, { ...aims, origins, leftOut }), aims.keepsSealedIds),
  ];
  const sent = [...(request.tools ?? []), ...listLoadedTools(items)];
  const tools = readResponseTools(
    { ...request, tools: sent, refusesHostedTools: aims.refusesHostedTools },
    leftOut,
  );
  const chat = {
    model: request.model,
    messages,
    ...(request.stream && { stream: true, stream_options: { include_usage: true } }),
    ...(typeof request.max_output_tokens === "number" && {
      max_completion_tokens: request.max_output_tokens,
    }),
    ...pickShared(request),
    ...(request.user && { user: boundUser(request.user) }),
    ...tools.fields,
    ...readText(request.text, leftOut),
    ...readReasoning(request.reasoning, leftOut),
    ...readLogprobs(request),
  };
  const facts = { ...readFacts(request, tools), callIds: listCallIds(items) };
  return { chat, facts, leftOut: leftOut.names, origins };
}

const toUserItem = (content: string) => ({ type: "message", role: "user", content });

function listCallIds(items: readonly unknown[]): string[] {
  const calls = items.filter(isObject).filter(({ type }) => String(type).endsWith("_call"));
  return calls.flatMap(({ call_id }) => (typeof call_id === "string" ? [readCallId(call_id).id] : []));
}

/** @throws Refusal 400 for what isn't served here, whoever answers. */
export function refuseUnserved(request: ResponseRequest): void {
  const { input, background, callback_url } = request;
  if (background)
    throw invalid("background", "Only POST /v1/responses goes on in the background. Leave background out.");
  if ((callback_url ?? null) !== null)
    throw invalid(
      "callback_url",
      "Only a response of the background makes a callback. Send background as true, or leave callback_url out.",
    );
  if (input === undefined || input === null || input.length === 0)
    throw invalid("input", "input is required: a text, or a list of items.", "missing_field");
}

/** The tools that came with items, since each one is sent from then on. */
function listLoadedTools(items: readonly unknown[]): unknown[] {
  return items
    .filter(isObject)
    .filter(({ type }) => type === "tool_search_output" || type === "additional_tools")
    .flatMap(({ tools }) => (Array.isArray(tools) ? tools : []));
}

function pickShared(request: ResponseRequest): Fields {
  const picked: Record<string, unknown> = {};
  for (const name of shared) if ((request[name] ?? null) !== null) picked[name] = request[name];
  return picked;
}

/** The form of the answer, and how long it is. */
function readText(text: unknown, leftOut: LeftOut): Fields {
  if (!isObject(text)) return {};
  const { format, verbosity, ...others } = text;
  for (const name in others) leftOut.note(`text.${name}`, others[name]);
  return {
    ...toResponseFormat(format, leftOut),
    ...(typeof verbosity === "string" && verbosity !== "medium" && { verbosity }),
  };
}

function toResponseFormat(format: unknown, leftOut: LeftOut): Fields {
  if (!isObject(format) || format.type === "text") return {};
  if (format.type === "json_object") return { response_format: { type: "json_object" } };
  if (format.type !== "json_schema") {
    leftOut.add(`text.format.${String(format.type)}`);
    return {};
  }
  const { name, schema, strict, description } = format;
  const json_schema = {
    name: typeof name === "string" && name ? name : "output",
    schema,
    ...(typeof description === "string" && { description }),
    ...(typeof strict === "boolean" && { strict }),
  };
  return { response_format: { type: "json_schema", json_schema } };
}

function readReasoning(reasoning: unknown, leftOut: LeftOut): Fields {
  if (!isObject(reasoning)) return {};
  const { effort, summary: _, generate_summary: __, ...others } = reasoning;
  for (const name in others) leftOut.note(`reasoning.${name}`, others[name]);
  return typeof effort === "string" ? { reasoning_effort: effort } : {};
}

function readLogprobs(request: ResponseRequest): Fields {
  const { top_logprobs } = request;
  return asksForLogprobs(request) ? { logprobs: true, ...(top_logprobs && { top_logprobs }) } : {};
}
