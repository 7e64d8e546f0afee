import type { JsonSchema } from "./to-json-schema";

interface Field {
  /** The path to the field: `data[].id`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** Bounds, default and meaning; empty where there are none. */
  readonly note: string;
}

/** The fields of an object, each followed by its nested fields. Alternatives are listed in turn. */
export function listFields(schema: JsonSchema, prefix = ""): Field[] {
  const { properties = {}, required = [], oneOf = [], anyOf = oneOf } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => [
    {
      name: prefix + name,
      type: describeType(field),
      required: required.includes(name),
      note: writeNote(field),
    },
    ...listFieldsWithin(field, prefix + name),
  ]);
  return [...own, ...anyOf.flatMap((alternative) => listFields(alternative, prefix))];
}

function listFieldsWithin(field: JsonSchema, name: string): Field[] {
  const { oneOf = [], anyOf = oneOf } = field;
  return [field, ...anyOf].flatMap((schema) => [
    ...(schema === field && anyOf.length > 0 ? [] : listFields(schema, `${name}.`)),
    ...(schema.items ? listFieldsWithin(schema.items, `${name}[]`) : []),
  ]);
}

function describeType(schema: JsonSchema): string {
  const { type, items, oneOf, anyOf = oneOf, enum: words, const: constant } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (words) return words.map((word) => JSON.stringify(word)).join(" or ");
  if (anyOf) return [...new Set(anyOf.map(describeType))].join(" or ");
  if (type === "array") return `array of ${items ? describeType(items) : "any"}`;
  if (typeof type === "string") return type;
  return type?.join(" or ") ?? "any";
}

function writeNote(schema: JsonSchema): string {
  const alternatives = [schema, ...(schema.anyOf ?? [])];
  const descriptions = alternatives.flatMap(({ description }) => description ?? []);
  const bounds = alternatives.flatMap((one) => formatBounds(one) ?? []);
  const usual = schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} unless given.`];
  return [...new Set([...descriptions, ...bounds, ...usual])].join(" ");
}

function formatBounds({ minimum, maximum, minLength, maxLength }: JsonSchema): string | null {
  const isBounded = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
  return (
    formatRange(isBounded(minimum), isBounded(maximum), "") ??
    formatRange(minLength, maxLength, " characters")
  );
}

function formatRange(min: number | undefined, max: number | undefined, unit: string): string | null {
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}.`;
  if (max !== undefined) return `At most ${max}${unit}.`;
  return min === undefined || (unit && min === 1) ? null : `At least ${min}${unit}.`;
}
