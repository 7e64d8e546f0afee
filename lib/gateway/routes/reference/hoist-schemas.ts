import type { JsonSchema } from "./to-json-schema";

export type Schemas = Record<string, JsonSchema>;

/**
 * Moves every object with a constant `object` field (`object: "organization.project"`) into `schemas`, and leaves a
 * reference.
 */
export function hoistSchemas(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const inner = {
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, field]) => [name, hoistSchemas(field, schemas)]),
      ),
    }),
    ...(schema.items && { items: hoistSchemas(schema.items, schemas) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((form) => hoistSchemas(form, schemas)) }),
  };
  const noun = schema.properties?.object?.const;
  if (typeof noun !== "string" || noun === "list" || noun === "page") return inner;
  const usual = noun.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
  return hoistAs(usual, inner, schemas);
}

/** Adds a schema under its name, with a number appended where another schema has that name. */
export function hoistAs(usual: string, schema: JsonSchema, schemas: Schemas): JsonSchema {
  const text = JSON.stringify(schema);
  let name = usual;
  for (let count = 2; schemas[name] && JSON.stringify(schemas[name]) !== text; count++)
    name = `${usual}${count}`;
  schemas[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}
