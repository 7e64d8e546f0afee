import { isObject } from "@/lib/contract/json-value";

/** The narrowest bounds among servers that speak OpenAI's protocol; beyond them OpenAI answers 400. */
const MAX_USER_LENGTH = 64;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME_STEM = 51;
const MAX_CALL_ID_LENGTH = 40;
export const MAX_STOPS = 4;

function hash(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** A user's id; of a longer one its SHA-256, which is the same for each call of that user. */
export function boundUser(id: string): string {
  return id.length <= MAX_USER_LENGTH ? id : hash(id);
}

/** A tool's name as every receiver accepts it. The same name always becomes the same, and no two become one. */
export function boundToolName(name: string): string {
  if (TOOL_NAME.test(name)) return name;
  const stem = name.slice(0, MAX_NAME_STEM).replace(/[^a-zA-Z0-9_-]/g, "_");
  return `${stem}_${hash(name).slice(0, 12)}`;
}

/** The id of a call, which its result repeats. */
export function boundCallId(id: string): string {
  return id.length <= MAX_CALL_ID_LENGTH ? id : `call_${hash(id).slice(0, 32)}`;
}

/** An id that no call of a conversation has, which is then used. Clients and receivers match results by their ids. */
export function takeFreeId(id: string, used: Set<string>): string {
  let free = id;
  for (let count = 2; used.has(free); count++) free = `${id}_${count}`;
  used.add(free);
  return free;
}

/** All keywords that a strict schema may have. With another one it isn't taken as strict. */
const strictKeywords = new Set(
  "type properties required additionalProperties items anyOf enum const description title $ref $defs definitions $schema pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems".split(
    " ",
  ),
);

/** Whether a schema keeps the rules of `strict`: each object is closed, and requires all of its fields. */
export function fitsStrict(schema: unknown): boolean {
  return isObject(schema) && schema.type === "object" && !schema.anyOf && fitsWithin(schema);
}

function fitsWithin(schema: unknown): boolean {
  if (!isObject(schema) || Object.keys(schema).some((key) => !strictKeywords.has(key))) return false;
  const { properties, required, items, anyOf, $defs, definitions } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const isRecord = schema.type === "object" || properties !== undefined;
  const isClosed = schema.additionalProperties === false && Array.isArray(required);
  if (isRecord && (!isClosed || !names.every((name) => required.includes(name)))) return false;
  const inner = [properties, $defs, definitions].filter(isObject).flatMap((named) => Object.values(named));
  const listed = Array.isArray(anyOf) ? anyOf : [];
  return [...inner, ...listed, ...(items === undefined ? [] : [items])].every(fitsWithin);
}

/** Keywords that the outermost schema of a tool may not have. */
const refusedAtTop = ["anyOf", "oneOf", "allOf", "not", "enum"];

/** A tool's schema as an object with properties, which every receiver asks for. @param onLost gets what is left out. */
export function boundParameters(
  schema: Readonly<Record<string, unknown>>,
  onLost: (keyword: string) => void,
): object {
  const bound: Record<string, unknown> = { ...schema, type: "object" };
  bound.properties = isObject(schema.properties) ? schema.properties : {};
  for (const keyword of refusedAtTop) {
    if (!(keyword in bound)) continue;
    delete bound[keyword];
    onLost(keyword);
  }
  return bound;
}

/** The most parts of a prompt that may be marked to be cached. */
const MAX_CACHE_MARKS = 4;

/** Takes away the first marks of a conversation that has too many. The last ones cache the longest prefixes. */
export function boundCacheMarks(
  conversation: {
    readonly cache_control?: unknown;
    readonly tools?: unknown;
    readonly system?: unknown;
    readonly messages: readonly { readonly content: unknown }[];
  },
  leftOut: LeftOut,
): void {
  const { tools, system, messages, cache_control } = conversation;
  const contents = messages.map(({ content }) => content);
  const marked = [tools, system, ...contents]
    .flatMap((list) => (Array.isArray(list) ? (list as Record<string, unknown>[]) : []))
    .filter((block) => block.cache_control);
  const most = MAX_CACHE_MARKS - (cache_control ? 1 : 0);
  for (const block of marked.slice(0, Math.max(0, marked.length - most))) {
    delete block.cache_control;
    leftOut.add("cache_control");
  }
}

/** The names that are told to the caller; more would be no help, and headers are bounded. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 80;

/** What a translation leaves out of a request, by the names of fields and types of blocks, without list positions. */
export class LeftOut {
  readonly #names = new Set<string>();

  add(name: string): void {
    if (this.#names.size >= MAX_NAMES) return;
    // Callers choose the names of fields, and headers have visible ASCII alone.
    this.#names.add(name.slice(0, MAX_NAME_LENGTH).replace(/[^\w.:/-]/g, "_"));
  }

  /** Adds the name of a value, unless it says nothing: null, false or empty. */
  note(name: string, value: unknown): void {
    if (saysSomething(value)) this.add(name);
  }

  get names(): readonly string[] {
    return [...this.#names];
  }

  /** Adds each field of `sent` that its parsed form `kept` lacks, unless it says nothing: null, false or empty. */
  compare(sent: unknown, kept: unknown, path = ""): void {
    if (sent === kept || typeof sent !== "object" || typeof kept !== "object" || !sent || !kept) return;
    if (Array.isArray(sent)) {
      for (let index = 0; index < sent.length; index++)
        this.compare(sent[index], (kept as readonly unknown[])[index], path);
      return;
    }
    for (const [key, value] of Object.entries(sent)) {
      const name = path ? `${path}.${key}` : key;
      if (key in kept) this.compare(value, (kept as Record<string, unknown>)[key], name);
      else if (saysSomething(value)) this.add(name);
    }
  }
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return false;
  return typeof value !== "object" || Object.values(value).some(saysSomething);
}
