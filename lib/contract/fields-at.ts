import * as z from "zod/mini";

/** The possible field names at a path within a value. */
export function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    return fieldsAt(schema.def.innerType, path);
  }
  if (schema instanceof z.ZodMiniUnion) {
    return schema.def.options.flatMap((option) => fieldsAt(option, path));
  }
  const [next, ...remainingPath] = path;
  if (schema instanceof z.ZodMiniArray) return fieldsAt(schema.def.element, remainingPath);
  if (!(schema instanceof z.ZodMiniObject)) return [];
  if (next === undefined) return Object.keys(schema.shape);
  const field = (schema.shape as Record<string, z.core.$ZodType>)[String(next)];
  return field ? fieldsAt(field, remainingPath) : [];
}
