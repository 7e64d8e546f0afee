import "server-only";
import type { Operation } from "@/lib/contract/operation";
import { gatewayConnection } from "../gateway/gateway-client";
import type { Connection } from "../gateway/gateway-request";
import {
  createProblem,
  foreignRead,
  type ProblemCode,
  privateHeaders,
  respondWithProblem,
  signedOut,
} from "../gateway/problem";
import { reportUnexpected } from "../gateway/report-unexpected";
import { openReply } from "../gateway/send-request";
import { isOwnRead, readRequestOrigin } from "../origin";
import { formatAttachment } from "./download-name";

const forwardedHeaders = ["accept-ranges", "content-length", "content-range"];
/** The problems that a file has for somebody who may not see it by one operation, and perhaps by the next. */
const hiddenCodes: readonly ProblemCode[] = ["missing_permission", "refused", "not_found", "unsupported"];
const shownTypes = /^(image|video|audio)\/[\w.+-]+$/;

interface FileRequest {
  /** Operations whose reply body is the file. The next one is asked if one may not show it, or has none. */
  readonly operations: readonly [Operation, ...Operation[]];
  /** Null if the request names no file. */
  readonly params: Readonly<Record<string, string>> | null;
  readonly missingMessage: string;
  /** The name to save the file under, by its media type. */
  readonly nameFile: (type: string, connection: Connection) => string | Promise<string>;
}

/**
 * Forwards a file from the gateway to the console's own pages, whole or in the requested `Range`. Opened directly, it
 * is downloaded.
 */
export async function forwardFile(request: Request, file: FileRequest): Promise<Response> {
  const { params, missingMessage, nameFile } = file;
  if (!isOwnRead(readRequestOrigin(request.headers))) return respondWithProblem(foreignRead);
  if (params === null) return respondWithProblem(createProblem("not_found", missingMessage));
  try {
    const connection = await gatewayConnection();
    if (!connection) return respondWithProblem(signedOut);
    const range = request.headers.get("range");
    const gatewayRequest = {
      params,
      // A range of the compressed file would be different bytes.
      headers: { accept: "*/*", "accept-encoding": "identity", ...(range !== null && { range }) },
      signal: request.signal,
    };
    let problem = createProblem("not_found", missingMessage);
    for (const operation of file.operations) {
      const reply = await openReply(connection, operation, gatewayRequest, null);
      if (reply.ok) return forward(reply.data, await nameFile(readType(reply.data), connection));
      problem = reply.problem;
      if (!hiddenCodes.includes(problem.code)) break;
    }
    return respondWithProblem(problem);
  } catch (error) {
    return respondWithProblem(reportUnexpected(error));
  }
}

function readType({ headers }: Response): string {
  return headers.get("content-type") ?? "";
}

function forward(reply: Response, name: string): Response {
  const type = readType(reply);
  const replyHeaders = forwardedHeaders.flatMap((header): [string, string][] => {
    const value = reply.headers.get(header);
    return value === null ? [] : [[header, value]];
  });
  const headers = {
    ...privateHeaders,
    ...Object.fromEntries(replyHeaders),
    "content-type": shownTypes.test(type) ? type : "application/octet-stream",
    "content-disposition": formatAttachment(name),
  };
  return new Response(reply.body, { status: reply.status, headers });
}
