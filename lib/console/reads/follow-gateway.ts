import "server-only";
import { operations } from "@/lib/contract/operation-table";
import { gatewayConnection } from "../gateway/gateway-client";
import { type GatewayReply, signedOut } from "../gateway/problem";
import { openReply } from "../gateway/send-request";
import { buildReadRequest } from "./read-gateway";
import type { ReadId, ReadParameters } from "./reads";

/** The media type of server-sent events. */
export const EVENTS = "text/event-stream";

/** A read as server-sent events, if the gateway supports that, until the client leaves. */
export async function followGateway(
  id: ReadId,
  parameters: ReadParameters,
  signal: AbortSignal,
): Promise<GatewayReply<ReadableStream<Uint8Array> | null>> {
  const connection = await gatewayConnection();
  if (!connection) return { ok: false, problem: signedOut };
  const request = { ...buildReadRequest(id, parameters), headers: { accept: EVENTS }, signal };
  const reply = await openReply(connection, operations[id], request, EVENTS);
  return reply.ok ? { ...reply, data: reply.data.body } : reply;
}
