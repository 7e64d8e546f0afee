import { isObject } from "@/lib/contract/json-value";

type Fields = Readonly<Record<string, unknown>>;

/** What Anthropic's structured outputs take of a schema. Their API refuses every other keyword. */
const keywords = new Set(
  "type properties required additionalProperties items anyOf allOf enum const description title $ref $defs definitions default".split(
    " ",
  ),
);
const formats = new Set("date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "));

/** Whether a schema can be one of Anthropic's structured outputs as it is. */
export function fitsStructured(schema: unknown): boolean {
  let isWhole = true;
  toStructured(schema, () => {
    isWhole = false;
  });
  return isWhole && isClosed(schema);
}

/** Whether each object takes the fields that it names and no others. */
export function isClosed(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  if ((schema.type === "object" || schema.properties !== undefined) && schema.additionalProperties !== false)
    return false;
  return listInner(schema).every(isClosed);
}

function listInner({ properties, $defs, definitions, items, anyOf, oneOf, allOf }: Fields): unknown[] {
  const named = [properties, $defs, definitions]
    .filter(isObject)
    .flatMap((schemas) => Object.values(schemas));
  return [...named, items, ...[anyOf, oneOf, allOf].flat()];
}

/**
 * A schema that structured outputs take. A bound that they don't take is told to the model in the description, as
 * Anthropic's own libraries tell it, and named by `onMoved`, since the answer may break it.
 */
export function toStructured(schema: unknown, onMoved: (keyword: string) => void): unknown {
  if (!isObject(schema)) return schema;
  const kept: Record<string, unknown> = {};
  const moved: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "$schema" || keyword === "$id") continue;
    if (keyword === "oneOf") kept.anyOf = value;
    else if (isTaken(keyword, value)) kept[keyword] = value;
    else {
      moved.push(`${keyword}: ${JSON.stringify(value)}`);
      onMoved(keyword);
    }
  }
  for (const name of ["properties", "$defs", "definitions"] as const) {
    const schemas = kept[name];
    if (isObject(schemas))
      kept[name] = Object.fromEntries(
        Object.entries(schemas).map(([key, inner]) => [key, toStructured(inner, onMoved)]),
      );
  }
  if (kept.items !== undefined) kept.items = toStructured(kept.items, onMoved);
  for (const name of ["anyOf", "allOf"] as const)
    if (Array.isArray(kept[name])) kept[name] = kept[name].map((inner) => toStructured(inner, onMoved));
  if (moved.length > 0)
    kept.description = [schema.description, `{${moved.join(", ")}}`].filter(Boolean).join("\n\n");
  return kept;
}

function isTaken(keyword: string, value: unknown): boolean {
  if (keyword === "format") return formats.has(String(value));
  if (keyword === "minItems") return value === 0 || value === 1;
  return keywords.has(keyword);
}
