export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The value of a placeholder; undefined if the call has none. */
export type FindTemplateValue = (name: string) => Json | undefined;

const PLACEHOLDER = /\{(\+?[a-z_]+(?:\.\w+)?)\}/g;
const WHOLE = /^\{(\+?[a-z_]+(?:\.\w+)?)\}$/;

/** The field of an object whose placeholder adds several fields to the object. */
export const SPREAD = "...";

/** The names of all placeholders, such as `prompt` for `{prompt}`, in the texts of a JSON value. */
export function findPlaceholders(template: unknown): Set<string> {
  if (typeof template === "string") {
    return new Set([...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name));
  }
  if (typeof template !== "object" || template === null) return new Set();
  return new Set(Object.values(template).flatMap((part) => [...findPlaceholders(part)]));
}

/** Fills in placeholders once: a value that looks like one stays as it is. Undefined if a value is missing. */
export function fillText(text: string, findValue: FindTemplateValue): string | undefined {
  let isMissing = false;
  const filledText = text.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = findValue(name);
    isMissing ||= value === undefined;
    return value === undefined ? "" : writeText(value);
  });
  return isMissing ? undefined : filledText;
}

/**
 * Fills in a JSON template. A text that is one placeholder becomes its value, of whatever type; other placeholders are
 * written into their text. Fields and entries without a value are left out.
 */
export function fillTemplate(template: Json, findValue: FindTemplateValue): Json | undefined {
  if (typeof template === "string") {
    const [, name] = WHOLE.exec(template) ?? [];
    return name === undefined ? fillText(template, findValue) : findValue(name);
  }
  if (isList(template)) return template.map((part) => fillTemplate(part, findValue)).filter(isThere);
  if (typeof template !== "object" || template === null) return template;
  const { [SPREAD]: spread, ...namedFields } = template;
  const spreadValue = spread === undefined ? {} : fillTemplate(spread, findValue);
  const fields = Object.entries(namedFields).map(
    ([name, part]) => [name, fillTemplate(part, findValue)] as const,
  );
  const spreadEntries =
    typeof spreadValue === "object" && spreadValue !== null ? Object.entries(spreadValue) : [];
  // The template's own fields come last, so that a caller can't replace them.
  return Object.fromEntries(
    [...spreadEntries, ...fields].filter((field): field is [string, Json] => isThere(field[1])),
  );
}

function writeText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isThere(value: Json | undefined): value is Json {
  return value !== undefined;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a text is a JSON pointer (RFC 6901): `/data/0/url`, or nothing for the whole document. */
export function isJsonPointer(text: string): boolean {
  return /^(\/([^~/]|~[01])*)*$/.test(text);
}

/** The value that a JSON pointer leads to (RFC 6901, section 4); undefined if there is none. */
export function readPointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const segment of pointer.split("/").slice(1)) {
    const token = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(token)) return undefined;
    if (!Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}
