import "server-only";
import type { Operation } from "@/lib/contract/operation";
import type { OperationId } from "@/lib/contract/operation-table";
import { operations } from "@/lib/contract/operation-table";
import type { RawBody } from "@/lib/contract/raw-reply";
import { environment } from "../environment";
import { currentRoleView } from "../sign-in/role-view";
import { currentSession } from "../sign-in/session";
import { browserHeaders } from "./browser-headers";
import type { Connection, GatewayRequest, LooseRequest, OperationReply } from "./gateway-request";
import { type GatewayReply, signedOut } from "./problem";
import { sendLooseRequest } from "./send-request";

type Operations = typeof operations;

/**
 * Returns the gateway connection of the signed-in person, as the role that they look at the console as; null if nobody
 * is signed in.
 */
export async function gatewayConnection(): Promise<Connection | null> {
  const connection = await ownConnection();
  const view = await currentRoleView();
  if (!connection || !view) return connection;
  return { ...connection, headers: { ...connection.headers, [view.header.name]: view.header.value } };
}

/** The same with all that the person may do, whatever they look at. */
async function ownConnection(): Promise<Connection | null> {
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
  return sendAs(await gatewayConnection(), id, request);
}

/** The same whatever the person looks at: to begin or end a view, and to sign out. */
export async function callAsOneself<Id extends JsonOperationId>(
  id: Id,
  request: GatewayRequest<Operations[Id]>,
): Promise<GatewayReply<OperationReply<Operations[Id]>>> {
  return sendAs(await ownConnection(), id, request);
}

async function sendAs<Id extends JsonOperationId>(
  connection: Connection | null,
  id: Id,
  request: GatewayRequest<Operations[Id]>,
): Promise<GatewayReply<OperationReply<Operations[Id]>>> {
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
