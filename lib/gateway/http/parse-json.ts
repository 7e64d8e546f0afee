import type { BodyBounds } from "@/lib/contract/operation";
import { invalid, type Refusal } from "../refusal";
import { compressedBody } from "./body-reader";
import { type JsonBounds, type ScannedObject, scanObject } from "./scan-json";

/** A JSON object with its source text. */
export interface JsonObject {
  readonly text: string;
  readonly scanned: ScannedObject;
  readonly value: Record<string, unknown>;
}

const MAX_DEPTH = 64;
/** The most fields of the outermost object; no request has this many. */
const MAX_MEMBERS = 1_000;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * Parses a JSON object from the bytes of a request.
 * @throws Refusal 400 for invalid UTF-8, invalid JSON, anything but an object, a field that appears twice in an object,
 * nesting deeper than 64, and more entries than `bounds` allow.
 */
export function parseJsonObject(bytes: Uint8Array, bounds: Pick<BodyBounds, "entries">): JsonObject {
  const text = decode(bytes);
  if (text.trim() === "") throw invalid("body", "The body is empty; send a JSON object.", "invalid_json");
  // Scanned before parsing, since such bodies attack a parser's recursion and memory.
  const { entries } = bounds;
  const scanned = scanObject(text, { depth: MAX_DEPTH, entries, members: MAX_MEMBERS });
  if (scanned.excess !== null) throw describeExcess(scanned.excess, entries);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("body", "The body must be a JSON object.", "invalid_json");
  }
  if (scanned.duplicate !== null) {
    throw invalid(scanned.duplicate, `"${scanned.duplicate}" appears twice in the body; send it once.`);
  }
  // Parsers differ in which of two they take, so what is checked could differ from what a provider reads.
  if (countMembers(value) < scanned.memberCount) throw repeatedWithin();
  return { text, scanned, value: value as Record<string, unknown> };
}

/** How many members an object and all objects in it have. Where a name occurs twice, the parser has left one. */
function countMembers(value: object): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const inner of value) if (typeof inner === "object" && inner !== null) count += countMembers(inner);
    return count;
  }
  for (const name in value) {
    count++;
    const inner: unknown = (value as Record<string, unknown>)[name];
    if (typeof inner === "object" && inner !== null) count += countMembers(inner);
  }
  return count;
}

function repeatedWithin(): Refusal {
  return invalid("body", "An object within the body has the same field twice. Send each field once.");
}

function describeExcess(excess: keyof JsonBounds, entries: number): Refusal {
  if (excess === "depth")
    return invalid(
      "body",
      `The body is nested deeper than ${MAX_DEPTH} levels. Send fewer levels.`,
      "too_deep",
    );
  const message =
    excess === "members"
      ? `The body has more than ${MAX_MEMBERS} fields.`
      : `The body has more than ${entries} entries, counting every member, element, object and array in it.`;
  return invalid("body", `${message} Send fewer.`, "too_many_entries");
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    if (isGzip(bytes)) throw compressedBody("gzip");
    throw invalid("body", "The body is not valid UTF-8. Encode it as UTF-8.", "invalid_utf8");
  }
}

/** Recognizes gzip without its header by its first two bytes (RFC 1952, 2.3.1), which are not UTF-8. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "unreadable";
    throw invalid("body", `The body is not JSON: ${reason}.`, "invalid_json");
  }
}
