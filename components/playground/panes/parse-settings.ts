import type { ChatEndpoint } from "@/lib/console/streaming/stream-chat";
import { isObject } from "@/lib/contract/json-value";
import { numberNames, ownFields, parseTools, type Settings } from "../settings";

type Fields = Readonly<Record<string, unknown>>;

/**
 * `exact` keeps what has no field of its own, such as an instruction with `cache_control`, among the further
 * parameters; `approximate` leaves such marks out.
 */
export type Exactness = "exact" | "approximate";

const efforts = ["none", "minimal", "low", "medium", "high"];

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
  const stopName = isChat ? "stop" : "stop_sequences";
  const named = isChat ? [...numberNames, "seed"] : ["temperature", "top_p"];
  const numbers = Object.fromEntries([...named, "max_tokens"].map((name) => [name, number(name)]));
  const effort = isChat && efforts.includes(String(left.reasoning_effort));
  const format = isChat ? parseFormat(left.response_format) : null;
  if (format) delete left.response_format;
  const settings = {
    ...numbers,
    stop: take(stopName, parseStopLines(left[stopName])),
    reasoning_effort: take(
      "reasoning_effort",
      effort ? String(left.reasoning_effort) : null,
    ) as Settings["reasoning_effort"],
    ...format,
    tools: take("tools", writeTools(left.tools, isChat, exactness)),
  };
  return { ...settings, further: Object.keys(left).length > 0 ? JSON.stringify(left, null, 2) : "" };
}

const wholeNames = ["max_tokens", "seed"];

function isNumberOf(name: string, value: unknown): boolean {
  return wholeNames.includes(name) ? Number.isSafeInteger(value) : typeof value === "number";
}

function systemField(endpoint: ChatEndpoint): string | null {
  return endpoint === "messages" ? "system" : null;
}

function parseStopLines(stop: unknown): string | null {
  const all: readonly unknown[] = typeof stop === "string" ? [stop] : Array.isArray(stop) ? stop : [];
  const fits = all.length > 0 && all.length <= 4;
  const areLines = all.every((one) => typeof one === "string" && one !== "" && !one.includes("\n"));
  return fits && areLines ? all.join("\n") : null;
}

function parseFormat(given: unknown): Pick<Settings, "format" | "schema"> | null {
  if (!isObject(given)) return null;
  if (given.type === "json_object" && Object.keys(given).length === 1) return { format: "json", schema: "" };
  const { name, strict, schema, ...more } = isObject(given.json_schema) ? given.json_schema : {};
  const isOwnName = name === "answer" && strict === true && Object.keys(more).length === 0;
  const isOurs = given.type === "json_schema" && isOwnName && isObject(schema);
  return isOurs ? { format: "schema", schema: JSON.stringify(schema, null, 2) } : null;
}

/** Returns null if the field for tools doesn't hold these as they are. */
function writeTools(tools: unknown, isChat: boolean, exactness: Exactness): string | null {
  if (!Array.isArray(tools) || tools.length === 0) return null;
  const asChat = isChat ? tools : tools.map((tool) => toChatTool(tool, exactness));
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
