import "server-only";
import { operations } from "@/lib/contract/operation-table";
import { buildRefusal, buildUnreachable } from "../gateway/build-failure";
import { gatewayConnection } from "../gateway/gateway-client";
import type { LooseRequest } from "../gateway/gateway-request";
import { createProblem, type GatewayReply, signedOut } from "../gateway/problem";
import { dispatch, sendLooseRequest } from "../gateway/send-request";
import { type ExportForm, exportTypes, type ReadId, type ReadParameters, type ReadReply } from "./reads";

/**
 * Makes one of the reads of `reads.ts` as the signed-in user. Parameters named in the path go there, the others into the
 * query.
 */
export async function readGateway<Id extends ReadId>(
  id: Id,
  parameters: ReadParameters = {},
): Promise<GatewayReply<ReadReply<Id>>> {
  const connection = await gatewayConnection();
  if (!connection) return { ok: false, problem: signedOut };
  return sendLooseRequest<ReadReply<Id>>(connection, operations[id], buildReadRequest(id, parameters));
}

const BYTE_ORDER_MARK = new TextEncoder().encode("\ufeff");

/** A whole list as a file. An export of the audit log has the chain's `head`. */
export interface Export {
  readonly body: ReadableStream<Uint8Array>;
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
  try {
    const response = await dispatch(connection, operations[id], request);
    const isExport = response.headers.get("content-type")?.startsWith(exportTypes[form]);
    if (response.ok && isExport && response.body) {
      const start = (controller: TransformStreamDefaultController<Uint8Array>) =>
        form === "csv" && controller.enqueue(BYTE_ORDER_MARK);
      const body = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ start }));
      const head = response.headers.get("x-gatehouse-audit-head");
      return { ok: true, data: { body, head }, requestId: response.headers.get("x-request-id") };
    }
    if (response.ok) {
      await response.body?.cancel();
      return { ok: false, problem: createProblem("failed", "This gateway has no exports.") };
    }
    const body: unknown = await response.json().catch(() => undefined);
    return { ok: false, problem: buildRefusal(response, body, operations[id], request) };
  } catch (error) {
    return { ok: false, problem: buildUnreachable(connection, error) };
  }
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
