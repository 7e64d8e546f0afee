import "server-only";
import { operations } from "@/lib/contract/operation-table";
import { gatewayConnection } from "../gateway/gateway-client";
import type { LooseRequest } from "../gateway/gateway-request";
import { type GatewayReply, signedOut } from "../gateway/problem";
import { openReply, sendLooseRequest } from "../gateway/send-request";
import {
  type ExportForm,
  exportTypes,
  findNextPage,
  type ReadId,
  type ReadParameters,
  type ReadReply,
  WHOLE,
} from "./reads";

/**
 * Makes one of the reads of `reads.ts` as the signed-in person. Parameters named in the path go there, the others into
 * the query.
 */
export async function readGateway<Id extends ReadId>(
  id: Id,
  parameters: ReadParameters = {},
): Promise<GatewayReply<ReadReply<Id>>> {
  const connection = await gatewayConnection();
  if (!connection) return { ok: false, problem: signedOut };
  const read = (one: ReadParameters) =>
    sendLooseRequest<ReadReply<Id>>(connection, operations[id], buildReadRequest(id, one));
  return parameters.limit === WHOLE ? readWholeList(read, parameters) : read(parameters);
}

const PAGE_ROWS = "1000";
/** More than a screen can use. A list that has more says so: `has_more`. */
const MAX_PAGES = 20;

async function readWholeList<Reply>(
  read: (parameters: ReadParameters) => Promise<GatewayReply<Reply>>,
  parameters: ReadParameters,
): Promise<GatewayReply<Reply>> {
  const first = await read({ ...parameters, limit: PAGE_ROWS });
  if (!first.ok) return first;
  const rows: unknown[] = [];
  let page = first.data as Reply & ListPage;
  for (let count = 1; ; count++) {
    rows.push(...page.data);
    const after = findNextPage(page);
    if (after === undefined || count === MAX_PAGES) break;
    const next = await read({ ...parameters, limit: PAGE_ROWS, after });
    if (!next.ok) return next;
    page = next.data as Reply & ListPage;
  }
  return { ...first, data: { ...page, data: rows } };
}

type ListPage = Parameters<typeof findNextPage>[0] & { readonly data: readonly unknown[] };

const BYTE_ORDER_MARK = new TextEncoder().encode("\ufeff");

/** A whole list as a file. An export of the audit log has the chain's `head`. */
interface Export {
  readonly body: ReadableStream<Uint8Array> | null;
  readonly head: string | null;
}

/** The whole list as the gateway streams it. A byte order mark before CSV tells spreadsheets that it is UTF-8. */
export async function exportFromGateway(
  id: ReadId,
  form: ExportForm,
  parameters: ReadParameters,
  signal: AbortSignal,
): Promise<GatewayReply<Export>> {
  const connection = await gatewayConnection();
  if (!connection) return { ok: false, problem: signedOut };
  const request = { ...buildReadRequest(id, parameters), headers: { accept: exportTypes[form] }, signal };
  const reply = await openReply(connection, operations[id], request, exportTypes[form]);
  if (!reply.ok) return reply;
  const start = (controller: TransformStreamDefaultController<Uint8Array>) =>
    form === "csv" && controller.enqueue(BYTE_ORDER_MARK);
  const body = reply.data.body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ start })) ?? null;
  return { ...reply, data: { body, head: reply.data.headers.get("x-gatehouse-audit-head") } };
}

/** The request of a read. */
export function buildReadRequest(id: ReadId, parameters: ReadParameters): LooseRequest {
  const operation = operations[id];
  const isParameter = ([name]: [string, unknown]) => operation.path.includes(`{${name}}`);
  const entries = Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1]);
  const params = Object.fromEntries(entries.filter(isParameter));
  const query = Object.fromEntries(entries.filter((entry) => !isParameter(entry)));
  return { params, query };
}
