import { isObject } from "@/lib/contract/json-value";
import type { BodyMetadata } from "@/lib/contract/operations/calls/request-bodies";
import { type Redactions, TooLongToRedact } from "../../log/bodies/redactions";
import type { BodyDraft, Excerpt, StoredBody, StoredText } from "../../log/bodies/stored-body";
import { assembleReply } from "./assemble-reply";

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
  "max_output_tokens",
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
  const requestFields = toFields(request.value);
  const replyFields = toFields(reply?.value);
  const choices = toList(replyFields.choices).map(toFields);
  const blocks = toList(replyFields.content).map(toFields);
  const isResponse = replyFields.object === "response";
  const items = toList(replyFields.output).map(toFields);
  return {
    request_bytes: request.size,
    reply_bytes: reply?.size ?? null,
    parameters: describeParameters(requestFields),
    tools: pickUnique(toList(requestFields.tools).map(readToolName)).slice(0, MAX_TOOLS),
    messages: countMessages(requestFields),
    // A message in Anthropic's form is an only choice, and so is a response.
    choices: choices.length || Number(replyFields.type === "message" || isResponse),
    finish_reasons: pickUnique(
      [
        ...choices.map(({ finish_reason }) => finish_reason),
        replyFields.stop_reason,
        ...(isResponse ? [replyFields.status] : []),
      ].map(readWord),
    ),
    tool_calls: pickUnique([
      ...choices.flatMap(({ message }) => toList(toFields(message).tool_calls).map(readToolName)),
      ...blocks.filter(({ type }) => type === "tool_use").map(readToolName),
      ...items.filter(({ type }) => String(type).endsWith("_call")).map(readToolName),
    ]).slice(0, MAX_TOOLS),
  };
}

function describeParameters(requestFields: Fields): BodyMetadata["parameters"] {
  const parameters: BodyMetadata["parameters"] = {};
  for (const name of PARAMETERS) {
    const value = requestFields[name];
    const isPlain = typeof value === "number" || typeof value === "boolean";
    const shownValue = isPlain ? value : (readWord(value) ?? readToolName(value));
    if (shownValue !== null) parameters[name] = shownValue;
  }
  return parameters;
}

/** A function by its name, any other tool by its type. */
function readToolName(tool: unknown): string | null {
  const { function: called, name, type } = toFields(tool);
  return readWord(toFields(called).name) ?? readWord(name) ?? readWord(type);
}

function countMessages({
  system,
  instructions = system,
  input,
  messages = listItems(input),
}: Fields): Messages {
  const before = (instructions ?? null) === null ? [] : [{ role: "system", content: instructions }];
  const stretches: Messages = [];
  for (const message of [...before, ...toList(messages).map(toFields)]) {
    const { type, role = type, output, content = output }: Fields = message;
    const last = stretches.at(-1);
    const isSame = last && (last.role === role || stretches.length === MAX_MESSAGE_GROUPS);
    const stretch = isSame ? last : { role: readWord(role) ?? "unknown", messages: 0, bytes: 0, parts: [] };
    if (!isSame) stretches.push(stretch);
    stretch.messages++;
    stretch.bytes += countTextBytes(content);
    stretch.parts = pickUnique([...stretch.parts, ...describeParts(content)]);
  }
  return stretches;
}

/** The items of a response's input, which may be a text. */
function listItems(input: unknown): unknown {
  return typeof input === "string" ? [{ role: "user", content: input }] : input;
}

function countTextBytes(content: unknown): number {
  if (typeof content === "string") return Buffer.byteLength(content);
  return toList(content).reduce<number>((sum, part) => sum + countTextBytes(toFields(part).text ?? null), 0);
}

function describeParts(content: unknown): (string | null)[] {
  return toList(content)
    .map((part) => readWord(toFields(part).type))
    .filter((type) => type !== "text" && type !== "input_text" && type !== "output_text");
}

function readWord(value: unknown): string | null {
  return typeof value === "string" && WORD.test(value) ? value : null;
}

function pickUnique(words: readonly (string | null)[]): string[] {
  return [...new Set(words.filter((word) => word !== null))];
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toFields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/**
 * Makes the stored form of a captured body: described, redacted, and with streams assembled. It is slow, so it runs on
 * a thread.
 */
export function prepareStoredBody(draft: BodyDraft, redactions: Redactions): StoredBody {
  const { requestId, projectId, atMs, mode, isStream } = draft;
  const request = read(draft.request, parse);
  const reply = draft.reply && read(draft.reply, isStream ? assembleReply : parse);
  const described = describeBody(request, reply);
  redactions.begin();
  // Names that callers chose are redacted; numbers are not.
  const tools = described.tools.map((name) => redactions.redactText(name));
  const tool_calls = described.tool_calls.map((name) => redactions.redactText(name));
  redactions.begin();
  const texts = mode === "metadata" ? null : prepareTexts(draft, redactions, request, reply);
  return { requestId, projectId, atMs, metadata: { ...described, tools, tool_calls }, texts };
}

type ReadBytes = Excerpt & { readonly value: unknown };

function read(bytes: Excerpt, as: (begin: Uint8Array) => unknown): ReadBytes {
  return { ...bytes, value: unlessTooMuch(() => as(bytes.begin)) ?? null };
}

/** Returns null for a value that is nested too deeply, and for one that takes too long to redact. */
function unlessTooMuch<Made>(make: () => Made): Made | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TooLongToRedact) return null;
    throw error;
  }
}

function prepareTexts(draft: BodyDraft, redactions: Redactions, request: ReadBytes, reply: ReadBytes | null) {
  const keep = (bytes: ReadBytes) => prepareText(bytes, redactions, draft.redactions.length > 0);
  const texts = { request: keep(request), reply: reply && keep(reply) };
  return { ...texts, redacted: redactions.replaced };
}

/** Text that is not JSON can't be redacted by patterns, since escapes could hide a match. */
function prepareText(
  { begin, size, value }: ReadBytes,
  redactions: Redactions,
  hasPatterns: boolean,
): StoredText {
  const isCut = size > begin.byteLength;
  if (value !== null)
    return { text: unlessTooMuch(() => JSON.stringify(redactions.redactValue(value))), isCut };
  return { text: hasPatterns ? null : redactions.redactText(new TextDecoder().decode(begin)), isCut };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}
