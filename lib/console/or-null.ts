import * as z from "zod/mini";

/** The schema, or null for whatever does not fit it: for replies of which each part is used only where it is as agreed. */
export function orNull<Schema extends z.ZodMiniType>(schema: Schema) {
  const { catch: withFallback } = z;
  return withFallback(z.nullable(schema), null);
}
