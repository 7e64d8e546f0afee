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
  const named = [...operation.path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1] ?? "");
  const params: Record<string, string> = {};
  for (const name of named) {
    const value = parameters[name];
    if (!value) {
      const fields = { [name]: "is required" };
      return { ok: false, problem: plainProblem("invalid", `${name} is required.`, { fields }) };
    }
    params[name] = value;
  }
  const query = Object.fromEntries(Object.entries(parameters).filter(([name]) => !named.includes(name)));
  return sendLooseRequest<ReadReply<Id>>(connection, operation, { params, query });
}
