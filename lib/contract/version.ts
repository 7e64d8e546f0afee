import * as z from "zod/mini";

const unversionedFields = new WeakSet<z.core.$ZodType>();

/** Marks a field that says nothing about an edit: it changes by use, or is shown once. */
export function unversioned<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  const marked = z.clone(schema);
  unversionedFields.add(marked);
  return marked;
}

/** An object whose present state has a name: `version`, its `ETag` without the quotes. The gateway fills it in. */
export function versioned<Schema extends z.ZodMiniObject>(object: Schema) {
  return z.extend(object, { version: z.optional(z.string()) });
}

/** The fields, in order, that an object's version is made of; null for a schema without versions. */
export function versionedFieldsOf(schema: z.core.$ZodType): readonly string[] | null {
  if (!(schema instanceof z.ZodMiniObject) || !("version" in schema.shape)) return null;
  const fields = Object.entries(schema.shape as Record<string, z.core.$ZodType>);
  return fields
    .filter(([name, field]) => name !== "version" && !unversionedFields.has(field))
    .map(([name]) => name);
}
