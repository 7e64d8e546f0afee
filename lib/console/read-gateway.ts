import "server-only";
import { operations } from "@/lib/contract/operation-table";
import { gatewayConnection } from "./gateway-client";
import { type GatewayReply, plainProblem } from "./problem";
import type { ReadId, ReadParameters, ReadReply } from "./reads";
import { sendLooseRequest } from "./send-request";

/** Does one of the reads of `reads.ts` in the name of whoever is signed in: path parameters by name, the rest as query. */
export async function readGateway<Id extends ReadId>(
  id: Id,
  parameters: ReadParameters = {},
): Promise<GatewayReply<ReadReply<Id>>> {
  const operation = operations[id];
  const connection = await gatewayConnection();
  if (!connection) return { ok: false, problem: plainProblem("unauthenticated", "Sign in to go on.") };
  const isParameter = ([name]: [string, unknown]) => operation.path.includes(`{${name}}`);
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1]);
  const params = Object.fromEntries(given.filter(isParameter));
  const query = Object.fromEntries(given.filter((entry) => !isParameter(entry)));
  return sendLooseRequest<ReadReply<Id>>(connection, operation, { params, query });
}
