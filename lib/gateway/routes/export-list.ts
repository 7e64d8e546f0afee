import type { PageQuery } from "@/lib/contract/schema";
import { writeCsvLine } from "@/lib/contract/write-csv";
import { type AuditHead, formatAuditHead } from "../audit/audit-head";
import { invalid } from "../refusal";
import type { ExportColumn } from "./export-columns";

/** Rows that are read and written at once: a few milliseconds of work, after which other requests are served. */
const PAGE = 200;

export type ExportForm = "csv" | "ndjson";

const forms: Readonly<Record<string, ExportForm | "json">> = {
  "text/csv": "csv",
  "application/x-ndjson": "ndjson",
  "application/json": "json",
  "application/*": "json",
  "*/*": "json",
};

/** The first form that the header `Accept` names and that a list has; null for the usual page of JSON. */
export function exportFormOf(accept: string | null): ExportForm | null {
  const named = (accept ?? "")
    .split(",")
    .map((range) => forms[range.split(";")[0]?.trim().toLowerCase() ?? ""]);
  const form = named.find((one) => one !== undefined) ?? "json";
  return form === "json" ? null : form;
}

interface Page {
  readonly data: readonly unknown[];
  readonly last_id?: string | null;
  readonly has_more: boolean;
  /** Of the audit log's chain, as the export begins. */
  readonly head?: AuditHead;
}

export interface ListExport {
  readonly form: ExportForm;
  readonly query: PageQuery;
  readonly columns: readonly ExportColumn[];
  /** One page of the list. */
  readonly read: (query: PageQuery) => Promise<unknown>;
  readonly logFault: (error: unknown) => void;
}

/**
 * The whole of what a list's filter names, page by page as fast as the client reads. One that fails on the way breaks off, so that
 * nobody takes it for the whole.
 * @throws Refusal 400 for a query that asks for a page, and as the list does.
 */
export async function exportList(
  { form, query, columns, read, logFault }: ListExport,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const paged = (["limit", "after", "before"] as const).find((name) => query[name] !== undefined);
  if (paged) throw invalid(paged, `An export holds the whole list: leave ${paged} out.`);
  const write = (page: Page) =>
    page.data
      .map((item) =>
        form === "csv"
          ? writeCsvLine(columns.map(({ valueOf }) => valueOf(item)))
          : `${JSON.stringify(item)}\n`,
      )
      .join("");
  const readPage = async (after?: string) =>
    (await read({ ...query, limit: PAGE, ...(after !== undefined && { after }) })) as Page;
  // Read before anything is answered: what refuses the list refuses its export.
  let first: Page | null = await readPage();
  const chained = first.head && { "x-gatehouse-audit-head": formatAuditHead(first.head) };
  let after: string | undefined;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          // What is read comes without a wait: other requests are served here.
          await new Promise(setImmediate);
          const page = first ?? (await readPage(after));
          const head = first && form === "csv" ? writeCsvLine(columns.map(({ header }) => header)) : "";
          first = null;
          after = page.last_id ?? undefined;
          const text = head + write(page);
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (!page.has_more) controller.close();
        } catch (error) {
          logFault(error);
          controller.error(error);
        }
      },
    },
    { highWaterMark: 0 },
  );
  const type = form === "csv" ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson";
  return new Response(body, { headers: { ...headers, ...chained, "content-type": type, vary: "accept" } });
}
