import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import { isObject, parseJson } from "@/lib/contract/json-value";

/** The parameters of a call, as typed. Empty text leaves a parameter to the model. */
export interface Settings {
  readonly endpoint: ChatEndpoint;
  readonly instruction: string;
  readonly temperature: string;
  readonly top_p: string;
  readonly max_tokens: string;
  /** One stop sequence per line. */
  readonly stop: string;
  readonly seed: string;
  readonly presence_penalty: string;
  readonly frequency_penalty: string;
  readonly reasoning_effort: "" | "none" | "minimal" | "low" | "medium" | "high";
  /** How much is told of the reasoning: responses alone have a choice. */
  readonly reasoning_summary: "" | "auto" | "concise" | "detailed";
  readonly format: "text" | "json" | "schema";
  /** A JSON schema, used if `format` is `schema`. */
  readonly schema: string;
  /** A JSON array of tools, in the format of chat completions. */
  readonly tools: string;
  /** A JSON object with each tool's fixed reply by the tool's name. */
  readonly replies: string;
  /** A JSON object with any other fields of the request. */
  readonly further: string;
}
export type SettingName = keyof Settings;

export const defaultSettings: Settings = {
  endpoint: "chat_completions",
  instruction: "",
  temperature: "",
  top_p: "",
  max_tokens: "",
  stop: "",
  seed: "",
  presence_penalty: "",
  frequency_penalty: "",
  reasoning_effort: "",
  reasoning_summary: "",
  format: "text",
  schema: "",
  tools: "",
  replies: "",
  further: "",
};

const chatOnly = ["seed", "presence_penalty", "frequency_penalty"] as const;

/** The settings that an API has no field for: they aren't shown, and what is typed in them isn't sent. */
export const lackingSettings: Readonly<Record<ChatEndpoint, readonly SettingName[]>> = {
  chat_completions: ["reasoning_summary"],
  responses: [...chatOnly, "stop"],
  messages: [...chatOnly, "reasoning_summary"],
};

export type Faults = Readonly<Partial<Record<SettingName | "model" | "message" | "options", string>>>;

const numbers = {
  temperature: { from: 0, to: 2 },
  top_p: { from: 0, to: 1 },
  presence_penalty: { from: -2, to: 2 },
  frequency_penalty: { from: -2, to: 2 },
} as const;
type NumberName = keyof typeof numbers;
export const numberNames = Object.keys(numbers) as NumberName[];

/** Returns the errors that prevent these settings from being sent, by field. */
export function findSettingFaults(settings: Settings): Faults {
  const faults: Partial<Record<SettingName, string>> = {};
  for (const name of numberNames) {
    const { from, to } = numbers[name];
    const text = settings[name].trim();
    const value = Number(text);
    if (text !== "" && !(value >= from && value <= to))
      faults[name] = `Enter a number from ${from} to ${to}.`;
  }
  const most = parseWhole(settings.max_tokens);
  if (most !== null && !(most >= 1)) faults.max_tokens = "Enter a whole number from 1.";
  const seed = parseWhole(settings.seed);
  if (seed !== null && Number.isNaN(seed)) faults.seed = "Enter a whole number.";
  if (parseStopSequences(settings).length > 4) faults.stop = "Enter at most four, one a line.";
  for (const name of lackingSettings[settings.endpoint]) delete faults[name];
  return { ...faults, ...findJsonFaults(settings) };
}

function findJsonFaults({ format, schema, tools, replies, further }: Settings): Faults {
  const faults: Partial<Record<SettingName, string>> = {};
  if (format === "schema" && !isObject(parseJson(schema))) faults.schema = wrongJson(schema, "a JSON schema");
  if (tools.trim() !== "" && !areTools(parseJson(tools))) {
    faults.tools = wrongJson(tools, 'an array of {"type": "function", "function": {"name": …}}');
  }
  if (replies.trim() !== "" && !isObject(parseJson(replies))) {
    faults.replies = wrongJson(replies, "an object of replies by the tool’s name");
  }
  if (further.trim() !== "") {
    const read = parseJson(further);
    const taken = isObject(read) ? ownFields.filter((name) => Object.hasOwn(read, name)) : [];
    if (!isObject(read)) faults.further = wrongJson(further, "an object");
    else if (taken.length > 0) faults.further = `Remove ${taken.join(", ")}: the playground sets it.`;
  }
  return faults;
}

/** Set by panes, messages and the playground itself. Here they would send another call than the one shown. */
export const ownFields = ["model", "messages", "input", "stream", "stream_options"];

/** Says where JSON becomes invalid, or which type it should have. */
function wrongJson(text: string, what: string): string {
  if (text.trim() === "") return `Enter ${what}.`;
  try {
    JSON.parse(text);
    return `Must be ${what}.`;
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : "it can’t be read"}`;
  }
}

export function parseStopSequences({ stop }: Pick<Settings, "stop">): string[] {
  return stop.split("\n").filter((line) => line !== "");
}

/** Reads a whole number such as `1,000` or `1_000`. Null if empty, NaN if invalid. */
export function parseWhole(text: string): number | null {
  const digits = text.trim().replace(/(?<=\d)[,_](?=\d{3})/g, "");
  if (digits === "") return null;
  const value = /^-?\d+$/.test(digits) ? Number(digits) : Number.NaN;
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

interface Tool {
  readonly type: string;
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: unknown;
    readonly strict?: unknown;
  };
}

function areTools(value: unknown): value is Tool[] {
  return (
    Array.isArray(value) &&
    value.every((tool) => isObject(tool) && isObject(tool.function) && typeof tool.function.name === "string")
  );
}

/** Returns the tools of valid settings. */
export function parseTools({ tools }: Pick<Settings, "tools">): Tool[] {
  const value = parseJson(tools);
  return areTools(value) ? value : [];
}

/** The settings that are folded away. */
export const rareNames: readonly SettingName[] = [
  ...numberNames.filter((name) => name !== "temperature"),
  "seed",
  "reasoning_effort",
  "reasoning_summary",
  "stop",
  "tools",
  "replies",
  "further",
];

/** Counts the folded settings that differ from their defaults. */
export function countRareSet(settings: Settings): number {
  const lacking = lackingSettings[settings.endpoint];
  return rareNames.filter((name) => !lacking.includes(name) && settings[name] !== defaultSettings[name])
    .length;
}

/** Returns the numbers that are set, under the names that chat completions have for them. */
export function pickNumbers(settings: Settings): Record<string, number> {
  const given: [string, number | null][] = [
    ...numberNames.map((name): [string, number | null] => [
      name,
      settings[name].trim() === "" ? null : Number(settings[name]),
    ]),
    ["max_tokens", parseWhole(settings.max_tokens)],
    ["seed", parseWhole(settings.seed)],
  ];
  return Object.fromEntries(given.filter((pair): pair is [string, number] => pair[1] !== null));
}

export function parseFurtherParameters({ further }: Settings): Record<string, unknown> {
  const value = parseJson(further);
  return isObject(value) ? value : {};
}
