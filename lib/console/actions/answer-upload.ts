import "server-only";
import { operations } from "@/lib/contract/operation-table";
import type { StoredFileObject } from "@/lib/contract/operations/tasks/files";
import { checkOrigin } from "../gateway/check-origin";
import { gatewayConnection } from "../gateway/gateway-client";
import { privateHeaders, respondWithProblem, signedOut } from "../gateway/problem";
import { reportUnexpected } from "../gateway/report-unexpected";
import { sendLooseRequest } from "../gateway/send-request";

/**
 * Passes an upload of the console's own pages on to the gateway, piece by piece, for the project `project_id`. Answers
 * with `{data}`, the stored file, or with `{problem}` and a matching status.
 */
export async function answerUpload(request: Request): Promise<Response> {
  try {
    const refusal = await checkOrigin();
    if (refusal) return respondWithProblem(refusal);
    const connection = await gatewayConnection();
    if (!connection) return respondWithProblem(signedOut);
    const reply = await sendLooseRequest<StoredFileObject>(connection, operations.uploadFile, {
      raw: { body: request.body, type: request.headers.get("content-type") ?? "" },
      headers: { "openai-project": new URL(request.url).searchParams.get("project_id") ?? "" },
      signal: request.signal,
      timeoutMs: null,
    });
    if (!reply.ok) return respondWithProblem(reply.problem);
    // `proxy.ts`, which sets it elsewhere, doesn't see uploads.
    const headers = { ...privateHeaders, "x-content-type-options": "nosniff" };
    return Response.json({ data: reply.data }, { headers });
  } catch (error) {
    return respondWithProblem(reportUnexpected(error));
  }
}
