import * as z from "zod/mini";

const unversionedFields = new WeakSet<z.core.$ZodType>();

/** Marks a field that doesn't contribute to the version, because it changes with use or is shown once. */
export function markUnversioned<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  const markedSchema = z.clone(schema);
  unversionedFields.add(markedSchema);
  return markedSchema;
}

/** An object with a version: `version` is its `ETag` without the quotes. The gateway fills it in. */
export function withVersion<Schema extends z.ZodMiniObject>(object: Schema) {
  return z.extend(object, { version: z.optional(z.string()) });
}

/**
 * The fields, in order, that determine an object's version; null for a schema without versions, and for one whose
 * `version` is that of another object, which the handler fills in: it is marked as unversioned.
 */
export function findVersionedFields(schema: z.core.$ZodType): readonly string[] | null {
  if (!(schema instanceof z.ZodMiniObject) || !("version" in schema.shape)) return null;
  if (unversionedFields.has(schema.shape.version)) return null;
  const fields = Object.entries(schema.shape as Record<string, z.core.$ZodType>);
  return fields
    .filter(([name, field]) => name !== "version" && !unversionedFields.has(field))
    .map(([name]) => name);
}
