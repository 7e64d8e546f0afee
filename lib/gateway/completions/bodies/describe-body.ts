import type { BodyMetadata } from "@/lib/contract/operations/request-bodies";

type Fields = Readonly<Record<string, unknown>>;
type Messages = BodyMetadata["messages"];

/** Fields whose values describe how a call was made, and contain none of its text. */
const PARAMETERS = [
  "stream",
  "temperature",
  "top_p",
  "top_k",
  "max_tokens",
  "max_completion_tokens",
  "n",
  "seed",
  "presence_penalty",
  "frequency_penalty",
  "parallel_tool_calls",
  "reasoning_effort",
  "verbosity",
  "service_tier",
  "logprobs",
  "top_logprobs",
  "response_format",
  "tool_choice",
];
const WORD = /^[\w.-]{1,64}$/;
const MAX_TOOLS = 128;
/** The maximum number of groups; messages beyond it are counted in the last one. */
const MAX_MESSAGE_GROUPS = 100;

/** Describes a body without its text. For anything but a JSON object only the size is known. */
export function describeBody(
  request: { readonly value: unknown; readonly size: number },
  reply: { readonly value: unknown; readonly size: number } | null,
): BodyMetadata {
  const asked = fieldsOf(request.value);
  const choices = listOf(fieldsOf(reply?.value).choices).map(fieldsOf);
  return {
    request_bytes: request.size,
    reply_bytes: reply?.size ?? null,
    parameters: parametersOf(asked),
    tools: unique(listOf(asked.tools).map(toolNameOf)).slice(0, MAX_TOOLS),
    messages: countMessages(asked),
    choices: choices.length,
    finish_reasons: unique(choices.map(({ finish_reason }) => wordOf(finish_reason))),
    tool_calls: unique(
      choices.flatMap(({ message }) => listOf(fieldsOf(message).tool_calls).map(toolNameOf)),
    ).slice(0, MAX_TOOLS),
  };
}

function parametersOf(asked: Fields): BodyMetadata["parameters"] {
  const known: BodyMetadata["parameters"] = {};
  for (const name of PARAMETERS) {
    const value = asked[name];
    const isPlain = typeof value === "number" || typeof value === "boolean";
    const said = isPlain ? value : (wordOf(value) ?? toolNameOf(value));
    if (said !== null) known[name] = said;
  }
  return known;
}

/** A function by its name, any other tool by its type. */
function toolNameOf(tool: unknown): string | null {
  const { function: called, name, type } = fieldsOf(tool);
  return wordOf(fieldsOf(called).name) ?? wordOf(name) ?? wordOf(type);
}

function countMessages({ system, messages }: Fields): Messages {
  const before = system === undefined || system === null ? [] : [{ role: "system", content: system }];
  const stretches: Messages = [];
  for (const message of [...before, ...listOf(messages).map(fieldsOf)]) {
    const { role, content } = message;
    const last = stretches.at(-1);
    const isSame = last && (last.role === role || stretches.length === MAX_MESSAGE_GROUPS);
    const stretch = isSame ? last : { role: wordOf(role) ?? "unknown", messages: 0, bytes: 0, parts: [] };
    if (!isSame) stretches.push(stretch);
    stretch.messages++;
    stretch.bytes += textBytesOf(content);
    stretch.parts = unique([...stretch.parts, ...partsOf(content)]);
  }
  return stretches;
}

function textBytesOf(content: unknown): number {
  if (typeof content === "string") return Buffer.byteLength(content);
  return listOf(content).reduce<number>((sum, part) => sum + textBytesOf(fieldsOf(part).text ?? null), 0);
}

function partsOf(content: unknown): (string | null)[] {
  return listOf(content)
    .map((part) => wordOf(fieldsOf(part).type))
    .filter((type) => type !== "text");
}

function wordOf(value: unknown): string | null {
  return typeof value === "string" && WORD.test(value) ? value : null;
}

function unique(words: readonly (string | null)[]): string[] {
  return [...new Set(words.filter((word) => word !== null))];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
