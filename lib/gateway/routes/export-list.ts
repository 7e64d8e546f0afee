import * as z from "zod/mini";
import { writeCsvLine } from "@/lib/contract/csv";
import { type PageQuery, unixSeconds } from "@/lib/contract/schema";
import { type AuditHead, formatAuditHead } from "../changes/audit/audit-chain.sql";
import { StreamedResponse, type StreamSource } from "../http/response";
import { invalid, Refusal } from "../refusal";

/** Rows read and written at first: one or two milliseconds of work, after which other requests are served. */
const PAGE = 50;
/** A list that takes longer to read is made whole for each page, so its pages grow. */
const LONG_READ_MS = 20;
const LARGEST_PAGE = 1_000;

type ExportFormat = "csv" | "ndjson";

const formats = new Map<string, ExportFormat | "json">([
  ["text/csv", "csv"],
  ["application/x-ndjson", "ndjson"],
  ["application/json", "json"],
  ["application/*", "json"],
  ["*/*", "json"],
]);

/** The first format in the header `Accept` that lists can be exported in; null for the usual JSON page. */
export function chooseExportFormat(accept: string | null): ExportFormat | null {
  const acceptedFormat = (accept ?? "")
    .split(",")
    .map((range) => formats.get(range.split(";")[0]?.trim().toLowerCase() ?? ""));
  const format = acceptedFormat.find((one) => one !== undefined) ?? "json";
  return format === "json" ? null : format;
}

interface Page {
  readonly data: readonly unknown[];
  readonly last_id?: string | null;
  readonly has_more: boolean;
  /** The head of the audit log's chain when the export begins. */
  readonly head?: AuditHead;
}

export interface ListExport {
  readonly format: ExportFormat;
  readonly query: PageQuery;
  readonly columns: readonly ExportColumn[];
  /** One page of the list. */
  readonly readPage: (query: PageQuery) => Promise<unknown>;
  readonly logFault: (error: unknown) => void;
  /** Called once the export has ended, however it ends, after it has begun. */
  readonly onEnd: () => void;
}

/**
 * Streams all items that match a filter, as fast as the client reads. An export that fails, or whose caller loses
 * access, breaks off, so that it can't be mistaken for a complete one.
 * @throws Refusal 400 for a query with page parameters, and as the list does.
 */
export async function exportList(
  { format, query, columns, readPage: readListPage, logFault, onEnd }: ListExport,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const pageParameter = (["limit", "after", "before"] as const).find((name) => query[name] !== undefined);
  if (pageParameter)
    throw invalid(pageParameter, `An export holds the whole list: leave ${pageParameter} out.`);
  const write = (page: Page) =>
    page.data
      .map((item) =>
        format === "csv"
          ? writeCsvLine(columns.map(({ readValue }) => readValue(item)))
          : `${JSON.stringify(item)}\n`,
      )
      .join("");
  let limit = PAGE;
  const readPage = async (after?: string) => {
    const startMs = performance.now();
    const page = await readListPage({ ...query, limit, ...(after !== undefined && { after }) });
    if (performance.now() - startMs > LONG_READ_MS) limit = Math.min(2 * limit, LARGEST_PAGE);
    return page as Page;
  };
  // The first page is read before the reply begins, so that a refusal of the list refuses its export.
  let first: Page | null = await readPage();
  const headHeader = first.head && { "x-gatehouse-audit-head": formatAuditHead(first.head) };
  let after: string | undefined;
  let isLeft = false;
  const encoder = new TextEncoder();
  const readText = async () => {
    // Reading may never yield by itself, so this lets other requests run.
    await new Promise(setImmediate);
    const page = first ?? (await readPage(after));
    const head = first && format === "csv" ? writeCsvLine(columns.map(({ header }) => header)) : "";
    first = null;
    after = page.last_id ?? undefined;
    return { text: head + write(page), hasMore: page.has_more };
  };
  const source: StreamSource = {
    async pull(controller) {
      try {
        // A pull that enqueues nothing isn't repeated, so pages without items are passed over here.
        for (;;) {
          const { text, hasMore } = await readText();
          if (isLeft) return;
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (!hasMore) {
            onEnd();
            controller.close();
          }
          if (text !== "" || !hasMore) return;
        }
      } catch (error) {
        onEnd();
        if (!(error instanceof Refusal)) logFault(error);
        if (!isLeft) controller.error();
      }
    },
    cancel() {
      isLeft = true;
      onEnd();
    },
  };
  const type = format === "csv" ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson";
  return new StreamedResponse(source, {
    headers: { ...headers, ...headHeader, "content-type": type, vary: "accept" },
  });
}

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
