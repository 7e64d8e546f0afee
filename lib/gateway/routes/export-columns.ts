import * as z from "zod/mini";
import { unixSeconds } from "@/lib/contract/schema";

/** A column of an exported list. Its header is the path of the field, such as `price.rate`. */
export interface ExportColumn {
  readonly header: string;
  readonly readValue: (item: unknown) => unknown;
}

/** The schema of a paged list's items; null for any other reply. */
export function findListedItem(reply: z.core.$ZodType): z.core.$ZodType | null {
  if (!(reply instanceof z.ZodMiniObject) || !("last_id" in reply.shape)) return null;
  const data: unknown = reply.shape.data;
  return data instanceof z.ZodMiniArray ? data.def.element : null;
}

/**
 * The fields of a schema in the order of their declaration, with nested objects flattened. A time in Unix seconds is
 * followed by the same time for people: `created_at_utc` with `2026-10-31 23:00:00`, which spreadsheets read as a date.
 */
export function listExportColumns(schema: z.core.$ZodType, path: readonly string[] = []): ExportColumn[] {
  if (schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniOptional) {
    return listExportColumns(schema.def.innerType, path);
  }
  if (schema === unixSeconds) return [columnAt(path), utcColumnAt(path)];
  if (!(schema instanceof z.ZodMiniObject)) return [columnAt(path)];
  return Object.entries(schema.shape).flatMap(([name, field]) => listExportColumns(field, [...path, name]));
}

function columnAt(path: readonly string[]): ExportColumn {
  return { header: path.join("."), readValue: valueAt(path) };
}

function utcColumnAt(path: readonly string[]): ExportColumn {
  const { header, readValue } = columnAt(path);
  return {
    header: `${header}_utc`,
    readValue: (item) => {
      const seconds = readValue(item);
      if (typeof seconds !== "number") return null;
      return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
    },
  };
}

function valueAt(path: readonly string[]) {
  return (item: unknown): unknown =>
    path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      item,
    );
}
