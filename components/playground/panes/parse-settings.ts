import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import { isObject } from "@/lib/contract/json-value";
import { numberNames, ownFields, parseTools, type Settings } from "../settings";

type Fields = Readonly<Record<string, unknown>>;

/**
 * `exact` keeps what has no field of its own, such as an instruction with `cache_control`, among the further
 * parameters; `approximate` leaves such marks out.
 */
export type Exactness = "exact" | "approximate";

const efforts = ["none", "minimal", "low", "medium", "high"];
const summaries = ["auto", "concise", "detailed"];

/** Puts each parameter into its own setting if there is one, and the rest into `further`. */
export function parseSettings(body: Fields, endpoint: ChatEndpoint, exactness: Exactness): Partial<Settings> {
  const left = Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) =>
        !ownFields.includes(name) && !(name === systemField(endpoint) && isInstruction(value, exactness)),
    ),
  );
  const take = (name: string, text: string | null): string => {
    if (text !== null) delete left[name];
    return text ?? "";
  };
  const number = (name: string) => take(name, isNumberOf(name, left[name]) ? String(left[name]) : null);
  const isChat = endpoint === "chat_completions";
  const stopName = { chat_completions: "stop", messages: "stop_sequences", responses: null }[endpoint];
  const named = isChat ? [...numberNames, "seed"] : ["temperature", "top_p"];
  const numbers = Object.fromEntries(named.map((name) => [name, number(name)]));
  const isResponse = endpoint === "responses";
  const [reasoning, format] = formReaders[endpoint](left);
  if (isResponse && left.store === false) delete left.store;
  const settings = {
    ...numbers,
    max_tokens: number(isResponse ? "max_output_tokens" : "max_tokens"),
    stop: stopName === null ? "" : take(stopName, parseStopLines(left[stopName])),
    ...reasoning,
    ...format,
    tools: take("tools", writeTools(left.tools, endpoint, exactness)),
  };
  return { ...settings, further: Object.keys(left).length > 0 ? JSON.stringify(left, null, 2) : "" };
}

type Reasoning = Partial<Pick<Settings, "reasoning_effort" | "reasoning_summary">>;
type Format = Pick<Settings, "format" | "schema">;
/** How a model thinks, and in which form it answers. Null for what stays among the further parameters. */
type Forms = readonly [Reasoning | null, Format | null];

/** Takes what it reads out of the fields that are left. */
function parseChatForms(left: Record<string, unknown>): Forms {
  const { reasoning_effort: effort, response_format } = left;
  const isKnown = efforts.includes(String(effort));
  if (isKnown) delete left.reasoning_effort;
  const { json_schema, ...type } = isObject(response_format) ? response_format : {};
  const format = parseFormat(isObject(json_schema) ? { ...json_schema, ...type } : type);
  if (format) delete left.response_format;
  return [isKnown ? { reasoning_effort: effort as Settings["reasoning_effort"] } : null, format];
}

function parseResponseForms(left: Record<string, unknown>): Forms {
  const { effort = "", summary = "", ...others } = isObject(left.reasoning) ? left.reasoning : {};
  const isKnown =
    ["", ...efforts].includes(String(effort)) &&
    ["", ...summaries].includes(String(summary)) &&
    Object.keys(others).length === 0;
  const reasoning = isKnown ? ({ reasoning_effort: effort, reasoning_summary: summary } as Reasoning) : null;
  if (reasoning && isObject(left.reasoning)) delete left.reasoning;
  const { format: given, ...more } = isObject(left.text) ? left.text : {};
  const format = Object.keys(more).length === 0 ? parseFormat(given) : null;
  if (format) delete left.text;
  return [reasoning, format];
}

const formReaders: Readonly<Record<ChatEndpoint, (left: Record<string, unknown>) => Forms>> = {
  chat_completions: parseChatForms,
  messages: () => [null, null],
  responses: parseResponseForms,
};

const wholeNames = ["max_tokens", "max_output_tokens", "seed"];

function isNumberOf(name: string, value: unknown): boolean {
  return wholeNames.includes(name) ? Number.isSafeInteger(value) : typeof value === "number";
}

function systemField(endpoint: ChatEndpoint): string | null {
  return { chat_completions: null, messages: "system", responses: "instructions" }[endpoint];
}

function parseStopLines(stop: unknown): string | null {
  const all: readonly unknown[] = typeof stop === "string" ? [stop] : Array.isArray(stop) ? stop : [];
  const fits = all.length > 0 && all.length <= 4;
  const areLines = all.every((one) => typeof one === "string" && one !== "" && !one.includes("\n"));
  return fits && areLines ? all.join("\n") : null;
}

/** @param given the fields of a JSON schema beside its type, as responses have them. */
function parseFormat(given: unknown): Format | null {
  if (!isObject(given)) return null;
  if (given.type === "json_object" && Object.keys(given).length === 1) return { format: "json", schema: "" };
  const { type, name, strict, schema, ...more } = given;
  const isOwnName = name === "answer" && strict === true && Object.keys(more).length === 0;
  const isOurs = type === "json_schema" && isOwnName && isObject(schema);
  return isOurs ? { format: "schema", schema: JSON.stringify(schema, null, 2) } : null;
}

/** Returns null if the field for tools doesn't hold these as they are. */
function writeTools(tools: unknown, endpoint: ChatEndpoint, exactness: Exactness): string | null {
  if (!Array.isArray(tools) || tools.length === 0) return null;
  const toChat = {
    chat_completions: (tool: unknown) => tool,
    messages: (tool: unknown) => toChatTool(tool, exactness),
    responses: (tool: unknown) => flatToChatTool(tool, exactness),
  }[endpoint];
  const asChat = tools.map(toChat);
  const text = JSON.stringify(asChat, null, 2);
  return parseTools({ tools: text }).length === tools.length ? text : null;
}

/** Returns null if a chat completion has no field for a part of the tool. */
function toChatTool(tool: unknown, exactness: Exactness): object | null {
  const { name, description, input_schema, ...more } = isObject(tool) ? tool : {};
  const isWhole = input_schema !== undefined && Object.keys(more).length === 0;
  if (exactness === "exact" && !isWhole) return null;
  return { type: "function", function: { name, description, parameters: input_schema } };
}

/** A function of a response is strict unless it says otherwise, other than one of a chat. */
function flatToChatTool(tool: unknown, exactness: Exactness): object | null {
  const { type, name, description, parameters, strict, ...more } = isObject(tool) ? tool : {};
  const isWhole = typeof strict === "boolean" && isObject(parameters) && Object.keys(more).length === 0;
  if (type !== "function" || (exactness === "exact" && !isWhole)) return null;
  return { type, function: { name, description, parameters, ...(strict === true && { strict }) } };
}

function isInstruction(system: unknown, exactness: Exactness): boolean {
  return exactness === "approximate" || parseWholeInstruction(system) !== null;
}

/** Returns null if the Messages API's instruction isn't only text. */
export function parseWholeInstruction(system: unknown): string | null {
  const [part, ...more] = Array.isArray(system) ? system : [{ type: "text", text: system }];
  const isText = isObject(part) && part.type === "text" && Object.keys(part).length === 2;
  const isAlone = isText && more.length === 0 && typeof part.text === "string";
  return isAlone && String(part.text).trim() !== "" ? String(part.text) : null;
}
