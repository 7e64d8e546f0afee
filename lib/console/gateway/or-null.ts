import * as z from "zod/mini";

/** The schema, with null for values that don't match: for replies whose parts are used only if they are valid. */
export function orNull<Schema extends z.ZodMiniType>(schema: Schema) {
  const { catch: withFallback } = z;
  return withFallback(z.nullable(schema), null);
}
