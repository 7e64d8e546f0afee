import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import { isObject } from "@/lib/contract/json-value";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns whether two bodies make the same call, however their texts are written: as text or as a single part. Whether
 * it streams doesn't count, nor what only `built` says: a limit, which the Messages API requires, and that a response
 * isn't kept, and has its reasoning sealed.
 */
export function isSameCall(given: Fields, built: Fields, endpoint: ChatEndpoint): boolean {
  const { max_tokens, include } = built;
  const own = { chat_completions: {}, messages: { max_tokens }, responses: { store: false, include } }[
    endpoint
  ];
  return areEqual(simplify({ ...own, ...given }), simplify(built));
}

function simplify({ messages, input, stop, system, ...fields }: Fields): Fields {
  return {
    ...fields,
    stream: undefined,
    stream_options: undefined,
    stop: typeof stop === "string" ? [stop] : stop,
    system: simplifyContent(system),
    messages: Array.isArray(messages) ? messages.map(simplifyMessage) : messages,
    input: typeof input === "string" ? [{ role: "user", content: input }] : simplifyItems(input),
  };
}

/** Leaves out what clients send back with the items of an answer. */
function simplifyItems(input: unknown): unknown {
  if (!Array.isArray(input)) return input;
  return input.map((item: unknown) => {
    if (!isObject(item)) return item;
    const { id: _, status: __, type, content, output, ...fields } = item;
    return {
      ...fields,
      type: type === "message" ? undefined : type,
      content: simplifyContent(content),
      output: simplifyContent(output),
    };
  });
}

/** Leaves out fields without a value, which clients send back with an answer. */
function simplifyMessage(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { content, ...fields } = message;
  const held = Object.entries(fields).filter(([, value]) => value !== null && !isEmptyList(value));
  const calls = Object.fromEntries(held);
  const isOnlyCalls = Boolean(calls.tool_calls) && (content === "" || content === null);
  return { ...calls, content: isOnlyCalls ? undefined : simplifyContent(content) };
}

function simplifyContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const parts = content.map(simplifyPart);
  const [first] = parts;
  const isOneText =
    parts.length === 1 && isObject(first) && /^(input_|output_)?text$/.test(String(first.type));
  return isOneText && Object.keys(first).length === 2 ? first.text : parts;
}

function simplifyPart(part: unknown): unknown {
  if (!isObject(part)) return part;
  if (part.type === "tool_result") return simplifyResult(part);
  if (part.type === "input_image") return { ...part, detail: part.detail ?? "auto" };
  if (part.type !== "output_text") return part;
  const { annotations: _, logprobs: __, ...words } = part;
  return words;
}

function simplifyResult({ content = "", is_error, ...result }: Fields): Fields {
  return {
    ...result,
    content: simplifyContent(content),
    is_error: is_error === false ? undefined : is_error,
  };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Compares JSON values. An absent field equals an undefined one; the order of fields doesn't count. */
function areEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, at) => areEqual(value, other[at]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => areEqual(one[name], other[name]));
}
