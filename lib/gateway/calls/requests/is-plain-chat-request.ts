import { isObject } from "@/lib/contract/json-value";
import { MAX_ENTRIES, MAX_MODEL_LENGTH } from "@/lib/contract/operations/calls/completions";

const roles = new Set<unknown>(["system", "developer", "user", "assistant", "tool", "function"]);

/**
 * A cheap check for common chat requests. It is never true for a request that the schema refuses; for anything uncommon
 * it is false, and the schema decides.
 */
export function isPlainChatRequest(value: Record<string, unknown>): boolean {
  return (
    typeof value.model === "string" &&
    value.model !== "" &&
    value.model.length <= MAX_MODEL_LENGTH &&
    Array.isArray(value.messages) &&
    value.messages.length > 0 &&
    value.messages.length <= MAX_ENTRIES &&
    value.messages.every(isPlainMessage) &&
    isAbsentOr(value.prompt, isString) &&
    isAbsentOr(value.stream, isBoolean) &&
    isAbsentOr(value.stream_options, isPlainStreamOptions) &&
    isAbsentOr(value.temperature, isTemperature) &&
    isAbsentOr(value.max_tokens, isPositiveInteger) &&
    isAbsentOr(value.max_completion_tokens, isPositiveInteger) &&
    isAbsentOr(value.n, isChoiceCount) &&
    isAbsentOr(value.callback_url, isShortString)
  );
}

function isAbsentOr(value: unknown, fits: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || fits(value);
}

function isPlainMessage(message: unknown): boolean {
  return isObject(message) && roles.has(message.role) && typeof message.content === "string";
}

function isPlainStreamOptions(options: unknown): boolean {
  return isObject(options) && isAbsentOr(options.include_usage, isBoolean);
}

const isString = (value: unknown) => typeof value === "string";
const isShortString = (value: unknown) => typeof value === "string" && value.length <= 2_000;
const isBoolean = (value: unknown) => typeof value === "boolean";
const isPositiveInteger = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;
const isChoiceCount = (value: unknown) => isPositiveInteger(value) && (value as number) <= 128;
const isTemperature = (value: unknown) => typeof value === "number" && value >= 0 && value <= 2;
