import type { ChatEndpoint } from "@/lib/console/streaming/stream-chat";
import { isObject } from "@/lib/contract/json-value";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns whether two bodies make the same call, however their texts are written: as text or as a single part. Whether
 * it streams doesn't count, nor a limit that only `built` has because the Messages API requires one.
 */
export function isSameCall(given: Fields, built: Fields, endpoint: ChatEndpoint): boolean {
  const { max_tokens } = built;
  const limited = endpoint === "messages" ? { max_tokens, ...given } : given;
  return areEqual(simplify(limited), simplify(built));
}

function simplify({ messages, stop, system, ...fields }: Fields): Fields {
  return {
    ...fields,
    stream: undefined,
    stream_options: undefined,
    stop: typeof stop === "string" ? [stop] : stop,
    system: simplifyContent(system),
    messages: Array.isArray(messages) ? messages.map(simplifyMessage) : messages,
  };
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
  const [first] = content;
  const isOneText = content.length === 1 && isObject(first) && first.type === "text";
  if (isOneText && Object.keys(first).length === 2) return first.text;
  return content.map((part) => (isObject(part) && part.type === "tool_result" ? simplifyResult(part) : part));
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
