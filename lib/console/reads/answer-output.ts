import "server-only";
import { operations } from "@/lib/contract/operation-table";
import { unexpected } from "../actions/action";
import { gatewayConnection } from "../gateway/gateway-client";
import { plainProblem } from "../gateway/problem";
import { dispatch, refusalOf, unreachable } from "../gateway/send-request";
import { isOwnRead, requestOriginOf } from "../origin";
import { noStore, notOwnPage, refuse } from "./refuse-read";

const RANGE_NOT_SATISFIABLE = 416;
const forwarded = ["accept-ranges", "content-length", "content-range"];
const shownTypes = /^(image|video|audio)\/[\w.+-]+$/;

/**
 * Serves a task's file by `task_id` and `position`, whole or in the requested `Range`. It plays in `<img>`, `<video>` and
 * `<audio>`; opened directly it is downloaded, so that a provider's content never becomes a page.
 */
export async function answerOutput(request: Request): Promise<Response> {
  if (!isOwnRead(requestOriginOf(request.headers))) return refuse(notOwnPage);
  const asksFor = new URL(request.url).searchParams;
  const [taskId, position] = [asksFor.get("task_id") ?? "", asksFor.get("position") ?? ""];
  if (!/^[\w-]+$/.test(taskId) || !/^\d{1,3}$/.test(position)) {
    return refuse(plainProblem("not_found", "A task made no such file."));
  }
  try {
    const connection = await gatewayConnection();
    if (!connection) return refuse(plainProblem("unauthenticated", "Sign in to go on."));
    const range = request.headers.get("range");
    const asked = {
      params: { task_id: taskId, position },
      // A range of the compressed file would be different bytes.
      headers: { accept: "*/*", "accept-encoding": "identity", ...(range !== null && { range }) },
      signal: request.signal,
    };
    const operation = operations.retrieveTaskOutput;
    const reply = await dispatch(connection, operation, asked).catch((error: unknown) => ({
      problem: unreachable(connection, error),
    }));
    if ("problem" in reply) return refuse(reply.problem);
    if (reply.ok || reply.status === RANGE_NOT_SATISFIABLE) return forward(reply, `${taskId}-${position}`);
    const body: unknown = await reply.json().catch(() => undefined);
    return refuse(refusalOf(reply, body, operation, asked));
  } catch (error) {
    return refuse(unexpected(error));
  }
}

function forward(reply: Response, name: string): Response {
  const type = reply.headers.get("content-type") ?? "";
  const kept = forwarded.flatMap((header): [string, string][] => {
    const value = reply.headers.get(header);
    return value === null ? [] : [[header, value]];
  });
  const headers = {
    ...noStore,
    ...Object.fromEntries(kept),
    "content-type": shownTypes.test(type) ? type : "application/octet-stream",
    "content-disposition": `attachment; filename="${name}${endingOf(type)}"`,
  };
  return new Response(reply.body, { status: reply.status, headers });
}

/** `video/webm` is a `.webm`; for other types the browser chooses the extension. */
function endingOf(type: string): string {
  const subtype = /^\w+\/(?:x-)?([a-z0-9]{2,5})$/.exec(type)?.[1];
  return subtype ? `.${subtype}` : "";
}
