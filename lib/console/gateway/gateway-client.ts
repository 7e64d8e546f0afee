import "server-only";
import type { Operation } from "@/lib/contract/operation";
import type { OperationId } from "@/lib/contract/operation-table";
import { operations } from "@/lib/contract/operation-table";
import type { RawBody } from "@/lib/contract/raw-reply";
import { environment } from "../environment";
import { currentSession } from "../sign-in/session";
import { browserHeaders } from "./browser-headers";
import type { Connection, GatewayRequest, LooseRequest, OperationReply } from "./gateway-request";
import { type GatewayReply, signedOut } from "./problem";
import { sendLooseRequest } from "./send-request";

type Operations = typeof operations;

/** Returns the gateway connection of the signed-in person; null if nobody is signed in. */
export async function gatewayConnection(): Promise<Connection | null> {
  const session = await currentSession();
  if (!session) return null;
  const { url, isEmbedded } = environment().gateway;
  return { url, token: session.token, headers: await browserHeaders(), isEmbedded };
}

/** Returns a gateway connection without a token, for the operations that sign a person in. */
export async function anonymousConnection(): Promise<Connection> {
  return { url: environment().gateway.url, token: null, headers: await browserHeaders() };
}

/** The operations that answer with JSON. For the others, see `dispatch`. */
type JsonOperationId = {
  [Id in OperationId]: OperationReply<Operations[Id]> extends RawBody ? never : Id;
}[OperationId];

/** Calls an operation of the gateway as the signed-in person: `callGateway("createRole", { body })`. Never throws. */
export async function callGateway<Id extends JsonOperationId>(
  id: Id,
  request: GatewayRequest<Operations[Id]>,
): Promise<GatewayReply<OperationReply<Operations[Id]>>> {
  const connection = await gatewayConnection();
  if (!connection) return { ok: false, problem: signedOut };
  return sendLooseRequest<OperationReply<Operations[Id]>>(
    connection,
    operations[id],
    request as LooseRequest,
  );
}

/** The same for an operation whose id is only known at run time. */
export async function callLoosely<Data>(
  operation: Operation,
  request: LooseRequest,
): Promise<GatewayReply<Data>> {
  const connection = await gatewayConnection();
  if (!connection) return { ok: false, problem: signedOut };
  return sendLooseRequest<Data>(connection, operation, request);
}
