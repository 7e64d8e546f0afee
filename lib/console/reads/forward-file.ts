import "server-only";
import type { Operation } from "@/lib/contract/operation";
import { unexpected } from "../actions/action";
import { gatewayConnection } from "../gateway/gateway-client";
import { plainProblem } from "../gateway/problem";
import { noStore, notOwnPage, refuse } from "../gateway/problem-response";
import { dispatch, refusalOf, unreachable } from "../gateway/send-request";
import { isOwnRead, requestOriginOf } from "../origin";

const RANGE_NOT_SATISFIABLE = 416;
const forwarded = ["accept-ranges", "content-length", "content-range"];
const shownTypes = /^(image|video|audio)\/[\w.+-]+$/;

interface AskedFile {
  /** Operations whose reply body is the file. The next one is asked where one may not show it, or has none. */
  readonly operations: readonly [Operation, ...Operation[]];
  /** Null where the request names no file. */
  readonly params: Readonly<Record<string, string>> | null;
  readonly missing: string;
  /** The file's name, by its media type. */
  readonly nameOf: (type: string) => string;
}

/**
 * Forwards a file from the gateway to the console's own pages, whole or in the requested `Range`. Opened directly, it is
 * downloaded.
 */
export async function forwardFile(request: Request, asked: AskedFile): Promise<Response> {
  const { params, missing, nameOf } = asked;
  if (!isOwnRead(requestOriginOf(request.headers))) return refuse(notOwnPage);
  if (params === null) return refuse(plainProblem("not_found", missing));
  try {
    const connection = await gatewayConnection();
    if (!connection) return refuse(plainProblem("unauthenticated", "Sign in to continue."));
    const range = request.headers.get("range");
    const sent = {
      params,
      // A range of the compressed file would be different bytes.
      headers: { accept: "*/*", "accept-encoding": "identity", ...(range !== null && { range }) },
      signal: request.signal,
    };
    let refused: Response | null = null;
    for (const operation of asked.operations) {
      const reply = await dispatch(connection, operation, sent).catch((error: unknown) => ({
        problem: unreachable(connection, error),
      }));
      if ("problem" in reply) return refuse(reply.problem);
      if (reply.ok || reply.status === RANGE_NOT_SATISFIABLE) return forward(reply, nameOf);
      const body: unknown = await reply.json().catch(() => undefined);
      refused = refuse(refusalOf(reply, body, operation, sent));
      if (reply.status !== 403 && reply.status !== 404) break;
    }
    return refused ?? refuse(plainProblem("not_found", missing));
  } catch (error) {
    return refuse(unexpected(error));
  }
}

function forward(reply: Response, nameOf: AskedFile["nameOf"]): Response {
  const type = reply.headers.get("content-type") ?? "";
  const kept = forwarded.flatMap((header): [string, string][] => {
    const value = reply.headers.get(header);
    return value === null ? [] : [[header, value]];
  });
  const headers = {
    ...noStore,
    ...Object.fromEntries(kept),
    "content-type": shownTypes.test(type) ? type : "application/octet-stream",
    "content-disposition": `attachment; filename="${nameOf(type)}"`,
  };
  return new Response(reply.body, { status: reply.status, headers });
}
