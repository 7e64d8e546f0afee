import { isObject } from "@/lib/contract/json-value";
import { parseBounded } from "../http/json";
import { concealKey } from "./conceal-key";
import type { ProviderServer } from "./media-client";
import { isFlagged } from "./misconfigured";

const MAX_LENGTH = 500;
const MAX_DEPTH = 8;
/** The most that is told of a list of errors. */
const MAX_ITEMS = 3;
/** Smaller numbers are statuses of HTTP, or say that nothing is wrong. */
const MIN_CODE = 1_000;

/** What a provider's error says. */
interface ProviderError {
  readonly message?: string;
  readonly param?: string;
  readonly code?: string;
  /** Whether a moderation has flagged the prompt. */
  readonly isFlagged?: boolean;
}

/** The names of fields with the reason, in words or as an object of its own; the best come first. */
const reasonNames: readonly RegExp[] = [
  /^errors?$/,
  /(^|_)(message|msg)s?$/,
  /(^|_)(description|details?)$/,
  /(^|_)(reason|fault|faultstring|exception|title)$/,
];
/** The names of fields with the code. A `status` or a `type` may be a word that says which error it is. */
const codeNames: readonly RegExp[] = [/(^|_)code$/, /^(error_)?status$/, /(^|_)type$/];
/** Words in their place that say nothing. */
const emptyCodes: ReadonlySet<string> = new Set(["error", "fail", "failed", "failure", "object"]);

/**
 * Reads an error from the text that a provider sent: JSON of any form that has a field for words, plain text, or the
 * title of a page.
 * @param conceal removes the provider's key. It reads whole texts without escapes, since a part of a key passes it.
 */
export function readProviderError(
  text: string,
  conceal: (words: string) => string = (words) => words,
): ProviderError {
  const { message, param, code, isFlagged: hasFlag } = readText(text, 0);
  return {
    ...(message && { message: conceal(message).slice(0, MAX_LENGTH) }),
    ...(param && { param: conceal(param).slice(0, MAX_LENGTH) }),
    ...(code && conceal(code) === code && { code }),
    ...(hasFlag && { isFlagged: true }),
  };
}

/** A text may be JSON that a server got from another. */
function readText(text: string, depth: number): ProviderError {
  const words = text.replace(/^\uFEFF/, "").trim();
  if (/^[{["]/.test(words)) {
    try {
      return readValue(parseBounded(words), depth + 1);
    } catch {
      return depth > 0 ? { message: words } : {};
    }
  }
  if (words.startsWith("<")) return readTitle(words);
  const isReadable = /\p{L}/u.test(words) && !/[\p{Cc}\uFFFD]/u.test(words.replaceAll(/\s/g, " "));
  return isReadable ? { message: words.replaceAll(/\s+/g, " ") } : {};
}

/** A page is made for people who know its server: only its title is told, or the message of an error in XML. */
function readTitle(page: string): ProviderError {
  const [, title] = /<(?:title|message)>([^<]*)</i.exec(page) ?? [];
  return title?.trim() ? { message: title.trim().replaceAll(/\s+/g, " ") } : {};
}

function readValue(value: unknown, depth: number): ProviderError {
  if (depth > MAX_DEPTH) return {};
  if (typeof value === "string") return readText(value, depth);
  if (Array.isArray(value)) return readList(value, depth);
  return isObject(value) ? readObject(value, depth) : {};
}

function readList(list: readonly unknown[], depth: number): ProviderError {
  const errors = list
    .slice(0, MAX_ITEMS)
    .map((item) => readValue(item, depth + 1))
    .filter(({ message, code }) => message ?? code);
  const message = errors.flatMap((error) => error.message ?? []).join("; ");
  return { ...errors[0], ...(message && { message }) };
}

function readObject(error: Record<string, unknown>, depth: number): ProviderError {
  const fields = Object.entries(error).map(([name, value]) => ({ name: toSnakeCase(name), value }));
  const inner = readReason(fields, depth);
  const code = inner.code ?? findCode(fields);
  const param = inner.param ?? readParam(error);
  return {
    ...(inner.message && { message: inner.message }),
    ...(code && { code }),
    ...(param && { param }),
    ...((inner.isFlagged || isFlagged(error)) && { isFlagged: true }),
  };
}

interface Field {
  readonly name: string;
  readonly value: unknown;
}

/**
 * The reason among the fields of an error. Fields of other names count only if they are objects. OAuth writes a code
 * as `error` and the words elsewhere; OpenRouter writes the words of the server behind it into `metadata.raw`.
 */
function readReason(fields: readonly Field[], depth: number): ProviderError {
  const metadata = fields.find(({ name }) => name === "metadata")?.value;
  const { raw } = Object(metadata) as { raw?: unknown };
  const named = reasonNames.flatMap((pattern) => fields.filter(({ name }) => pattern.test(name)));
  const others = fields.filter((field) => !named.includes(field) && typeof field.value === "object");
  let code: string | undefined;
  let short: string | undefined;
  for (const { name, value } of [{ name: "raw", value: raw }, ...named, ...others]) {
    const found = readValue(value, depth + 1);
    code ??= found.code;
    if (found.message === undefined) continue;
    const isCode = name === "error" && value === found.message && isProviderCode(value);
    if (!isCode) return { ...found, ...(code && { code }) };
    short ??= found.message;
    code ??= readCode(found.message);
  }
  return { ...(short && { message: short }), ...(code && { code }) };
}

function findCode(fields: readonly Field[]): string | undefined {
  for (const pattern of codeNames)
    for (const { name, value } of fields) {
      const code = pattern.test(name) ? readCode(value) : undefined;
      if (code) return code;
    }
  return undefined;
}

function readCode(value: unknown): string | undefined {
  if (typeof value === "number")
    return Number.isInteger(value) && value >= MIN_CODE ? String(value) : undefined;
  const isCode = isProviderCode(value) && !emptyCodes.has(value.toLowerCase()) && !/^\d{1,3}$/.test(value);
  return isCode ? value : undefined;
}

/** The field that an error names, by OpenAI, or its place, as FastAPI writes it. */
function readParam({ param, loc }: Record<string, unknown>): string | undefined {
  if (typeof param === "string") return param;
  if (!Array.isArray(loc)) return undefined;
  const path = loc.filter((part) => typeof part === "string" || typeof part === "number");
  return path.filter((part, index) => index > 0 || part !== "body").join(".") || undefined;
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
}

const MAX_DESCRIBED = 500;
const CODE = /^[\w.-]{1,64}$/;

/** Whether what a provider sent as a code is one, and not a sentence. */
function isProviderCode(code: unknown): code is string {
  return typeof code === "string" && CODE.test(code);
}

/** A provider's error as callers see it: a code only if it looks like one, and neither with the key. */
export function describeProviderError(
  { code, message }: { readonly code: unknown; readonly message: unknown },
  server: Pick<ProviderServer, "apiKey">,
): { code: string; message: string } {
  const words = typeof message === "string" && message !== "" ? message : "it gave no reason";
  return {
    code: isProviderCode(code) && concealKey(code, server) === code ? code : "provider_error",
    message: concealKey(words, server).slice(0, MAX_DESCRIBED),
  };
}
