import { type Filter, parse } from "scim2-parse-filter";
import {
  asRecord,
  type FoundAttribute,
  findAttribute,
  listValues,
  type ScimAttribute,
  ScimRefusal,
  type ScimResource,
  type ScimSchema,
} from "./scim-schema";

type Attributes = Pick<ScimSchema, "id" | "attributes">;

/** Longer ones, and line breaks, would cost the parser much; no directory sends them. */
const MAX_LENGTH = 1_000;
const CONTROLS = /\p{Cc}/u;

/**
 * Reads a filter such as `userName eq "ada@example.com" and active eq true` (RFC 7644, 3.4.2.2).
 * @throws ScimRefusal for one that can't be read, or that asks for an attribute that isn't kept.
 */
export function readFilter(schema: ScimSchema, text: string): (resource: ScimResource) => boolean {
  const filter = parseScim(text, "invalidFilter");
  refuseUnknown(filter, schema);
  return (resource) => isMatch(filter, resource, schema);
}

/** The parsed filter. @throws ScimRefusal */
function parseScim(text: string, scimType: "invalidFilter" | "invalidPath"): Filter {
  const refuse = (why: string) => new ScimRefusal(scimType, `"${text.slice(0, 200)}" can't be read: ${why}.`);
  if (text.length > MAX_LENGTH) throw refuse(`it has more than ${MAX_LENGTH} characters`);
  if (CONTROLS.test(text)) throw refuse("it has control characters");
  try {
    return parse(text);
  } catch {
    throw refuse('write it as in: userName eq "ada@example.com"');
  }
}

/** @throws ScimRefusal for an attribute that isn't kept here. */
function refuseUnknown(filter: Filter, schema: Attributes): void {
  switch (filter.op) {
    case "and":
    case "or":
      for (const part of filter.filters) refuseUnknown(part, schema);
      return;
    case "not":
      return refuseUnknown(filter.filter, schema);
    case "[]":
      return refuseUnknown(filter.valFilter, partsOf(find(filter.attrPath, schema).attribute));
    default:
      find(filter.attrPath, schema);
  }
}

function find(path: string, schema: Attributes): FoundAttribute {
  const found = findAttribute(schema, path);
  if (found) return found;
  const names = schema.attributes.map(({ name }) => name).join(", ");
  throw new ScimRefusal("invalidFilter", `"${path}" can't be filtered by; use ${names}.`);
}

const partsOf = ({ parts = [] }: ScimAttribute): Attributes => ({ id: "", attributes: parts });

/** Whether a resource, or an item of a list, fits. */
function isMatch(filter: Filter, resource: ScimResource, schema: Attributes): boolean {
  switch (filter.op) {
    case "and":
      return filter.filters.every((part) => isMatch(part, resource, schema));
    case "or":
      return filter.filters.some((part) => isMatch(part, resource, schema));
    case "not":
      return !isMatch(filter.filter, resource, schema);
    case "[]": {
      const { attribute } = find(filter.attrPath, schema);
      const held = resource[attribute.name];
      const items: unknown[] = Array.isArray(held) ? held : [held];
      return items.some((item) => isMatch(filter.valFilter, asRecord(item) ?? {}, partsOf(attribute)));
    }
    case "pr":
      return listValues(resource, find(filter.attrPath, schema)).some((value) => value !== "");
    case "ne": {
      const equal = { ...filter, op: "eq" as const };
      return !isMatch(equal, resource, schema);
    }
    default: {
      const found = find(filter.attrPath, schema);
      const wanted = fold(filter.compValue, found);
      return listValues(resource, found).some((value) => compare(filter.op, fold(value, found), wanted));
    }
  }
}

/** A value as it is compared: text that isn't exact by its lower case, times by their milliseconds. */
function fold(value: unknown, { attribute, part }: FoundAttribute): string | number {
  const { type, isExact } = part ?? itemValue(attribute);
  if (type === "dateTime") return Date.parse(String(value));
  return isExact ? String(value) : String(value).toLowerCase();
}

const itemValue = (attribute: ScimAttribute): ScimAttribute =>
  attribute.parts?.find(({ name }) => attribute.isList && name === "value") ?? attribute;

function compare(op: string, value: string | number, wanted: string | number): boolean {
  switch (op) {
    case "eq":
      return value === wanted;
    case "co":
      return String(value).includes(String(wanted));
    case "sw":
      return String(value).startsWith(String(wanted));
    case "ew":
      return String(value).endsWith(String(wanted));
    case "gt":
      return value > wanted;
    case "ge":
      return value >= wanted;
    case "lt":
      return value < wanted;
    default:
      return value <= wanted;
  }
}

/** What an operation of a patch changes: `emails[type eq "work"].value` names a list, some of its items, and a part. */
export interface ScimPath extends FoundAttribute {
  /** Which items of the list; null for all. */
  readonly items: Filter | null;
}

/** @returns null for an attribute that isn't kept here. @throws ScimRefusal for a path that can't be read. */
export function readPath(schema: ScimSchema, path: string): ScimPath | null {
  const text = path.trim();
  // A path is a filter without its comparison, unless it ends with one of items.
  const filter = parseScim(text.endsWith("]") ? text : `${text} pr`, "invalidPath");
  if (filter.op === "pr") return withItems(schema, filter.attrPath, null);
  if (filter.op === "[]") return withItems(schema, filter.attrPath, filter.valFilter);
  const [list, part] = filter.op === "and" ? filter.filters : [];
  if (list?.op === "[]" && part?.op === "pr") return withItems(schema, part.attrPath, list.valFilter);
  throw new ScimRefusal("invalidPath", `"${text}" is no path; write it as in: emails[type eq "work"].value`);
}

function withItems(schema: ScimSchema, path: string, items: Filter | null): ScimPath | null {
  const found = findAttribute(schema, path);
  if (found && items) {
    if (!found.attribute.isList)
      throw new ScimRefusal("invalidPath", `${found.attribute.name} is no list, so "[…]" can't follow it.`);
    refuseUnknown(items, partsOf(found.attribute));
  }
  return found && { ...found, items };
}

/** The items of a list that a path names. */
export function isItem({ items, attribute }: ScimPath, item: ScimResource): boolean {
  return items === null || isMatch(items, item, partsOf(attribute));
}
