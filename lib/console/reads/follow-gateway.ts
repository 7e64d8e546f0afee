import "server-only";
import { operations } from "@/lib/contract/operation-table";
import { buildRefusal, buildUnreachable } from "../gateway/build-failure";
import { gatewayConnection } from "../gateway/gateway-client";
import { createProblem, type GatewayReply, signedOut } from "../gateway/problem";
import { dispatch } from "../gateway/send-request";
import { buildReadRequest } from "./read-gateway";
import type { ReadId, ReadParameters } from "./reads";

/** The media type of server-sent events. */
export const EVENTS = "text/event-stream";

/** A read as server-sent events, if the gateway supports that, until the client leaves. */
export async function followGateway(
  id: ReadId,
  parameters: ReadParameters,
  signal: AbortSignal,
): Promise<GatewayReply<ReadableStream<Uint8Array>>> {
  const connection = await gatewayConnection();
  if (!connection) return { ok: false, problem: signedOut };
  const request = { ...buildReadRequest(id, parameters), headers: { accept: EVENTS }, signal };
  try {
    const response = await dispatch(connection, operations[id], request);
    const areEvents = response.headers.get("content-type")?.startsWith(EVENTS);
    if (response.ok && areEvents && response.body) {
      return { ok: true, data: response.body, requestId: response.headers.get("x-request-id") };
    }
    if (response.ok) {
      await response.body?.cancel();
      return {
        ok: false,
        problem: createProblem("failed", "This gateway doesn't send events for this list."),
      };
    }
    const body: unknown = await response.json().catch(() => undefined);
    return { ok: false, problem: buildRefusal(response, body, operations[id], request) };
  } catch (error) {
    return { ok: false, problem: buildUnreachable(connection, error) };
  }
}
