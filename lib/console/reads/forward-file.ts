import "server-only";
import type { Operation } from "@/lib/contract/operation";
import { buildRefusal, buildUnreachable } from "../gateway/build-failure";
import { gatewayConnection } from "../gateway/gateway-client";
import { createProblem, signedOut } from "../gateway/problem";
import { foreignRead, privateHeaders, refuse } from "../gateway/problem-response";
import { reportUnexpected } from "../gateway/report-unexpected";
import { dispatch } from "../gateway/send-request";
import { isOwnRead, readRequestOrigin } from "../origin";

const RANGE_NOT_SATISFIABLE = 416;
const forwardedHeaders = ["accept-ranges", "content-length", "content-range"];
const shownTypes = /^(image|video|audio)\/[\w.+-]+$/;

interface AskedFile {
  /** Operations whose reply body is the file. The next one is asked if one may not show it, or has none. */
  readonly operations: readonly [Operation, ...Operation[]];
  /** Null if the request names no file. */
  readonly params: Readonly<Record<string, string>> | null;
  readonly missingMessage: string;
  /** The file's name, by its media type. */
  readonly nameFile: (type: string) => string;
}

/**
 * Forwards a file from the gateway to the console's own pages, whole or in the requested `Range`. Opened directly, it is
 * downloaded.
 */
export async function forwardFile(request: Request, fileRequest: AskedFile): Promise<Response> {
  const { params, missingMessage, nameFile } = fileRequest;
  if (!isOwnRead(readRequestOrigin(request.headers))) return refuse(foreignRead);
  if (params === null) return refuse(createProblem("not_found", missingMessage));
  try {
    const connection = await gatewayConnection();
    if (!connection) return refuse(signedOut);
    const range = request.headers.get("range");
    const gatewayRequest = {
      params,
      // A range of the compressed file would be different bytes.
      headers: { accept: "*/*", "accept-encoding": "identity", ...(range !== null && { range }) },
      signal: request.signal,
    };
    let refusal: Response | null = null;
    for (const operation of fileRequest.operations) {
      const reply = await dispatch(connection, operation, gatewayRequest).catch((error: unknown) => ({
        problem: buildUnreachable(connection, error),
      }));
      if ("problem" in reply) return refuse(reply.problem);
      if (reply.ok || reply.status === RANGE_NOT_SATISFIABLE) return forward(reply, nameFile);
      const body: unknown = await reply.json().catch(() => undefined);
      refusal = refuse(buildRefusal(reply, body, operation, gatewayRequest));
      if (reply.status !== 403 && reply.status !== 404) break;
    }
    return refusal ?? refuse(createProblem("not_found", missingMessage));
  } catch (error) {
    return refuse(reportUnexpected(error));
  }
}

function forward(reply: Response, nameFile: AskedFile["nameFile"]): Response {
  const type = reply.headers.get("content-type") ?? "";
  const replyHeaders = forwardedHeaders.flatMap((header): [string, string][] => {
    const value = reply.headers.get(header);
    return value === null ? [] : [[header, value]];
  });
  const headers = {
    ...privateHeaders,
    ...Object.fromEntries(replyHeaders),
    "content-type": shownTypes.test(type) ? type : "application/octet-stream",
    "content-disposition": `attachment; filename="${nameFile(type)}"`,
  };
  return new Response(reply.body, { status: reply.status, headers });
}
