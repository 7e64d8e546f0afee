import "server-only";
import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operation-table";
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
import { openReply, sendRequest } from "../gateway/send-request";
import { isOwnRead, readRequestOrigin } from "../origin";
import { chooseFileEnding, formatAttachment } from "./download-name";

const forwardedHeaders = ["accept-ranges", "content-length", "content-range"];
/** The problems that a file has for somebody who may not see it by one operation, and perhaps by the next. */
const hiddenCodes: readonly ProblemCode[] = ["missing_permission", "refused", "not_found", "unsupported"];
const shownTypes = /^(image|video|audio)\/[\w.+-]+$/;

interface FileRequest {
  /** Operations whose reply body is the file. If one refuses or lacks it, the next one is asked. */
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
async function forwardFile(request: Request, file: FileRequest): Promise<Response> {
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

/**
 * Serves a task's file by `task_id` and `position`, whole or in the requested `Range`. It plays in `<img>`, `<video>`
 * and `<audio>`; opened directly it is downloaded, so that a provider's content never becomes a page.
 */
export async function answerOutput(request: Request): Promise<Response> {
  const asksFor = new URL(request.url).searchParams;
  const [taskId, position] = [asksFor.get("task_id") ?? "", asksFor.get("position") ?? ""];
  const isNamed = /^[\w-]+$/.test(taskId) && /^\d{1,3}$/.test(position);
  return forwardFile(request, {
    // Somebody who may only use the playground may see the files that they made.
    operations: [operations.retrieveOwnTaskOutput, operations.retrieveTaskOutput],
    params: isNamed ? { task_id: taskId, position } : null,
    missingMessage: "A task made no such file.",
    nameFile: (type) => `${taskId}-${position}${chooseFileEnding(type)}`,
  });
}

/** Downloads a stored file by `file_id`, under the name that it was uploaded with. */
export async function answerFileContent(request: Request): Promise<Response> {
  const fileId = new URL(request.url).searchParams.get("file_id") ?? "";
  return forwardFile(request, {
    operations: [operations.retrieveFileContent],
    params: /^[\w-]+$/.test(fileId) ? { file_id: fileId } : null,
    missingMessage: "There is no such file.",
    nameFile: async (_, connection) => {
      const file = await sendRequest(connection, operations.retrieveFile, { params: { file_id: fileId } });
      return file.ok ? file.data.filename : fileId;
    },
  });
}
