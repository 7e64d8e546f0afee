import "server-only";
import { operations } from "@/lib/contract/operation-table";
import { buildRefusal, buildUnreachable } from "../gateway/build-failure";
import { checkOrigin } from "../gateway/check-origin";
import { gatewayConnection } from "../gateway/gateway-client";
import { createProblem, signedOut } from "../gateway/problem";
import { privateHeaders, refuse } from "../gateway/problem-response";
import { reportUnexpected } from "../gateway/report-unexpected";

/**
 * Passes an upload of the console's own pages on to the gateway, piece by piece, for the project `project_id`. Answers with
 * `{data}`, the stored file, or with `{problem}` and a matching status.
 */
export async function answerUpload(request: Request): Promise<Response> {
  try {
    const refusal = await checkOrigin();
    if (refusal) return refuse(refusal);
    const connection = await gatewayConnection();
    if (!connection) return refuse(signedOut);
    const operation = operations.uploadFile;
    const reply = await fetch(`${connection.url}/v1${operation.path}`, {
      method: operation.method,
      headers: {
        ...connection.headers,
        authorization: `Bearer ${connection.token}`,
        "content-type": request.headers.get("content-type") ?? "",
        "openai-project": new URL(request.url).searchParams.get("project_id") ?? "",
      },
      body: request.body,
      duplex: "half",
      signal: request.signal,
      cache: "no-store",
      redirect: "manual",
    } as RequestInit).catch((error: unknown) => ({ problem: buildUnreachable(connection, error) }));
    if ("problem" in reply) return refuse(reply.problem);
    const body: unknown = await reply.json().catch(() => undefined);
    if (!reply.ok) return refuse(buildRefusal(reply, body, operation, {}));
    const file = operation.reply.safeParse(body);
    // `proxy.ts`, which sets it elsewhere, doesn't see uploads.
    const headers = { ...privateHeaders, "x-content-type-options": "nosniff" };
    if (file.success) return Response.json({ data: file.data }, { headers });
    return refuse(createProblem("failed", "The gateway stored the file, but its reply is not as agreed."));
  } catch (error) {
    return refuse(reportUnexpected(error));
  }
}
