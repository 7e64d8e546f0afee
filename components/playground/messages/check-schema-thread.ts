import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { isObject, parseJson } from "@/lib/contract/json-value";
import { parsePartialJson } from "./partial-json";

/** An answer and the JSON schema to check it against, both as text. */
export interface SchemaQuestion {
  readonly text: string;
  readonly schema: string;
  /** Whether the answer is still streaming. Only violations that no further text can repair count then. */
  readonly isLive: boolean;
}

/** The thread that checks answers: it receives questions and answers each with the first fault, or null. */
self.onmessage = ({ data: { text, schema, isLive } }: MessageEvent<SchemaQuestion>) => {
  const read = parseJson(schema);
  self.postMessage(isLive ? findFaultSoFar(text, read) : findSchemaFault(parseJson(text), read));
};

/** Keywords whose errors only say that an error below them follows. */
const WRAPPERS = new Set([
  "$ref",
  "$recursiveRef",
  "additionalItems",
  "additionalProperties",
  "allOf",
  "dependentSchemas",
  "if",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Keywords whose violation can't be repaired by further text. */
const FINAL = new Set(["type", "false", "maxItems", "maxProperties", "maxLength", "uniqueItems"]);

/** An error below one of these keywords doesn't by itself make the answer invalid. */
const BRANCHES = /\/(?:anyOf|oneOf|not|if|then|else|contains|dependentSchemas|propertyNames)(?:\/|$)/;

/** Returns where a value violates a JSON schema; null if it is valid. Pass undefined for text that isn't JSON. */
export function findSchemaFault(value: unknown, schema: unknown): string | null {
  if (value === undefined) return "The answer is not JSON.";
  return findFault(value, schema, () => true);
}

/**
 * Checks an answer while it streams. Returns the first violation that no further text can repair; null if there is
 * none.
 */
export function findFaultSoFar(text: string, schema: unknown): string | null {
  const { value, open, brokenAt } = parsePartialJson(text);
  if (brokenAt !== null) return `The answer is not JSON from character ${brokenAt + 1} on.`;
  if (value === undefined) return null;
  const isFinal = ({ keyword, keywordLocation, instanceLocation }: OutputUnit) => {
    const location = decodeURI(instanceLocation.slice(1));
    if (!open.has(location)) return !branchesAtOpen(keywordLocation, open.size > 0);
    return FINAL.has(keyword) && !BRANCHES.test(keywordLocation);
  };
  return findFault(value, schema, isFinal);
}

/**
 * Whether to ignore an error below a branching keyword: while a value is incomplete, another branch may still match.
 */
function branchesAtOpen(keywordLocation: string, isAnyOpen: boolean): boolean {
  const above = keywordLocation.slice(0, keywordLocation.lastIndexOf("/"));
  return isAnyOpen && BRANCHES.test(above);
}

function findFault(value: unknown, schema: unknown, counts: (error: OutputUnit) => boolean): string | null {
  if (!isObject(schema)) return "The schema is not an object.";
  let errors: readonly OutputUnit[];
  try {
    errors = new Validator(schema as Schema, findDraft(schema), false).validate(value).errors;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : "unknown";
    return `The schema can’t be checked here: ${reason}`;
  }
  const fault = errors.find((error) => !WRAPPERS.has(error.keyword) && counts(error));
  return fault ? `${formatLocation(fault.instanceLocation)}: ${describe(fault)}` : null;
}

function findDraft({ $schema }: { readonly $schema?: unknown }) {
  const named = typeof $schema === "string" ? $schema : "";
  if (named.includes("draft-04")) return "4" as const;
  if (named.includes("draft-06") || named.includes("draft-07")) return "7" as const;
  return named.includes("2019-09") ? ("2019-09" as const) : ("2020-12" as const);
}

/** `#/items/0/unit%20price` → `$.items[0]["unit price"]`. */
function formatLocation(instanceLocation: string): string {
  const names = decodeURI(instanceLocation)
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce((location, name) => {
    if (/^\d+$/.test(name)) return `${location}[${name}]`;
    return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)
      ? `${location}.${name}`
      : `${location}[${JSON.stringify(name)}]`;
  }, "$");
}

function describe({ keyword, error }: OutputUnit): string {
  const quoted = /"(.*)"/.exec(error)?.[1] ?? "";
  if (keyword === "type") return `expected ${/Expected "(.*)"/.exec(error)?.[1]?.replaceAll('", "', " or ")}`;
  if (keyword === "required") return `the property "${quoted}" is missing`;
  if (keyword === "false") return "is not allowed by the schema";
  return error;
}
