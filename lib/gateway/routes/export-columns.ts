import * as z from "zod/mini";

/** A column of an exported list. Its header is the path of the field, such as `price.rate`. */
export interface ExportColumn {
  readonly header: string;
  readonly valueOf: (item: unknown) => unknown;
}

/** The schema of a paged list's items; null for any other reply. */
export function listedItemOf(reply: z.core.$ZodType): z.core.$ZodType | null {
  if (!(reply instanceof z.ZodMiniObject) || !("last_id" in reply.shape)) return null;
  const data: unknown = reply.shape.data;
  return data instanceof z.ZodMiniArray ? data.def.element : null;
}

/** The fields of a schema in the order of their declaration, with nested objects flattened. */
export function exportColumnsOf(schema: z.core.$ZodType, path: readonly string[] = []): ExportColumn[] {
  if (schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniOptional) {
    return exportColumnsOf(schema.def.innerType, path);
  }
  if (!(schema instanceof z.ZodMiniObject)) return [{ header: path.join("."), valueOf: valueAt(path) }];
  return Object.entries(schema.shape).flatMap(([name, field]) => exportColumnsOf(field, [...path, name]));
}

function valueAt(path: readonly string[]) {
  return (item: unknown): unknown =>
    path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      item,
    );
}
