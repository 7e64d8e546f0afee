import type { Filter } from "scim2-parse-filter";
import { isItem, readPath, type ScimPath } from "./scim-filter";
import {
  asRecord,
  findNamed,
  type ScimAttribute,
  ScimRefusal,
  type ScimResource,
  type ScimSchema,
} from "./scim-schema";

const MAX_OPERATIONS = 1_000;
const VERBS = ["add", "replace", "remove"] as const;

interface PatchOperation {
  readonly verb: (typeof VERBS)[number];
  readonly path: string | null;
  readonly value: unknown;
}

type Draft = Record<string, unknown>;
type Item = Record<string, unknown>;

/**
 * A resource after the operations of a patch (RFC 7644, 3.5.2), in the forms in which directories send them: Entra
 * writes `Replace`, Okta leaves out the path. Attributes that aren't kept are passed over.
 * @throws ScimRefusal; nothing is changed then.
 */
export function patchResource(schema: ScimSchema, resource: ScimResource, body: ScimResource): ScimResource {
  const draft: Draft = { ...resource };
  for (const operation of readOperations(body)) applyOperation(schema, draft, operation);
  return draft;
}

function readOperations(body: ScimResource): PatchOperation[] {
  const [, operations] = Object.entries(body).find(([name]) => name.toLowerCase() === "operations") ?? [];
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimRefusal("invalidSyntax", 'Send "Operations": a list of at least one operation.');
  if (operations.length > MAX_OPERATIONS)
    throw new ScimRefusal("tooMany", `Send at most ${MAX_OPERATIONS} operations at once.`);
  return operations.map((operation, index) => readOperation(asRecord(operation) ?? {}, index));
}

function readOperation({ op, path = null, value }: Item, index: number): PatchOperation {
  const where = `Operations[${index}]`;
  const verb = VERBS.find((known) => known === String(op).toLowerCase());
  if (!verb) throw new ScimRefusal("invalidSyntax", `${where}.op must be add, replace or remove.`);
  if (path !== null && typeof path !== "string")
    throw new ScimRefusal("invalidPath", `${where}.path must be a text.`);
  if (verb === "remove" && path === null)
    throw new ScimRefusal("noTarget", `${where}.path must say what to remove.`);
  if (verb !== "remove" && value === undefined)
    throw new ScimRefusal("invalidValue", `${where}.value is missing.`);
  return { verb, path: path || null, value };
}

function applyOperation(schema: ScimSchema, draft: Draft, { verb, path, value }: PatchOperation): void {
  if (path !== null) {
    const found = readPath(schema, path);
    if (found) applyAt(draft, found, verb, value);
    return;
  }
  const values = asRecord(value);
  if (!values) throw new ScimRefusal("invalidValue", "Without a path, the value must be an object.");
  for (const [name, inner] of Object.entries(values))
    if (name !== "schemas") applyOperation(schema, draft, { verb, path: name, value: inner });
}

function applyAt(draft: Draft, path: ScimPath, verb: PatchOperation["verb"], value: unknown): void {
  const { attribute, part } = path;
  const { name, isReadOnly } = part?.isReadOnly ? part : attribute;
  // Directories send back what they read, so only another value is refused.
  if (isReadOnly) {
    if (attribute.type === "complex" || value === draft[attribute.name]) return;
    throw new ScimRefusal("mutability", `${name} can't be changed.`);
  }
  if (attribute.isList) applyToList(draft, path, verb, value);
  else if (attribute.parts) applyToParts(draft, path, verb, value);
  else draft[attribute.name] = verb === "remove" ? undefined : value;
}

function applyToParts(
  draft: Draft,
  { attribute, part }: ScimPath,
  verb: PatchOperation["verb"],
  value: unknown,
): void {
  const held = asRecord(draft[attribute.name]) ?? {};
  if (part) draft[attribute.name] = { ...held, [part.name]: verb === "remove" ? undefined : value };
  else if (verb === "remove") draft[attribute.name] = undefined;
  else draft[attribute.name] = { ...held, ...readItem(attribute, value) };
}

function applyToList(draft: Draft, path: ScimPath, verb: PatchOperation["verb"], value: unknown): void {
  const { attribute, part, items } = path;
  const held = draft[attribute.name];
  const list: Item[] = Array.isArray(held) ? held.map((item) => asRecord(item) ?? {}) : [];
  const change = (to: (item: Item) => Item) => list.map((item) => (isItem(path, item) ? to(item) : item));
  const replaced = () => {
    if (part) {
      const set = verb === "remove" ? undefined : value;
      return change((item) => ({ ...item, [part.name]: set }));
    }
    if (items && verb === "remove") return list.filter((item) => !isItem(path, item));
    if (items) return change((item) => ({ ...item, ...readItem(attribute, value) }));
    if (verb === "replace") return readItems(attribute, value);
    return verb === "add" ? addItems(list, readItems(attribute, value)) : removeItems(list, attribute, value);
  };
  const isMissing = verb !== "remove" && (items || part) && !list.some((item) => isItem(path, item));
  draft[attribute.name] = isMissing ? [...list, newItem(path, value)] : replaced();
}

/** The item that Entra means by `emails[type eq "work"].value` while there is no address of work. */
function newItem({ attribute, part, items }: ScimPath, value: unknown): Item {
  const named = items ? listEqual(items) : {};
  if (!named) throw new ScimRefusal("noTarget", `No item of ${attribute.name} fits the path.`);
  return { ...named, ...(part ? { [part.name]: value } : readItem(attribute, value)) };
}

/** What a filter says that an item equals; null if it says anything else. */
function listEqual(filter: Filter): Item | null {
  if (filter.op === "eq") return { [filter.attrPath]: filter.compValue };
  if (filter.op !== "and") return null;
  const parts = filter.filters.map(listEqual);
  return parts.includes(null) ? null : Object.assign({}, ...parts);
}

function addItems(list: readonly Item[], added: readonly Item[]): Item[] {
  const held = new Set(list.map(({ value }) => value));
  return [...list, ...added.filter(({ value }) => !held.has(value))];
}

/** Entra names the members to remove in the value; without one, all of them are. */
function removeItems(list: readonly Item[], attribute: ScimAttribute, value: unknown): Item[] {
  if (value === undefined || value === null) return [];
  const removed = new Set(readItems(attribute, value).map((item) => item.value));
  return list.filter((item) => !removed.has(item.value));
}

function readItems(attribute: ScimAttribute, value: unknown): Item[] {
  return (Array.isArray(value) ? value : [value]).map((item) => readItem(attribute, item));
}

/** An item's known parts by their own names. Its value alone may stand for it. */
function readItem(attribute: ScimAttribute, value: unknown): Item {
  if (attribute.isList && typeof value === "string") return { value };
  const entries = asRecord(value);
  if (!entries) throw new ScimRefusal("invalidValue", `${attribute.name} must be an object.`);
  const known = Object.entries(entries).flatMap(([name, inner]) => {
    const part = findNamed(attribute.parts ?? [], name);
    return part ? [[part.name, inner]] : [];
  });
  return Object.fromEntries(known);
}

/** A whole resource as it was sent, by the names of the attributes that are kept. */
export function readResource(schema: ScimSchema, body: ScimResource): ScimResource {
  const draft: Draft = {};
  for (const [name, value] of Object.entries(body)) {
    const attribute = findNamed(schema.attributes, name);
    if (!attribute || attribute.isReadOnly || value === null) continue;
    if (attribute.isList) draft[attribute.name] = readItems(attribute, value);
    else draft[attribute.name] = attribute.parts ? readItem(attribute, value) : value;
  }
  return draft;
}
