import { operations } from "@/lib/contract/operation-table";
import type { AuthenticationContext } from "../../access/authenticate";
import { findChargedProject, followAccess, isModelInScope } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { BackgroundResponses } from "../../calls/responses/background-responses";
import { followResponse } from "../../calls/responses/follow-response";
import { type ChangeContext, change } from "../../changes/change";
import type { OpenStreams } from "../../http/open-streams";
import { listInMemory } from "../../lists/paged-list";
import type { BackgroundResponseStore } from "../../log/responses/background-response-store.sql";
import type { ResponseStore, StoredResponse } from "../../log/responses/response-store.sql";
import type { ProjectCache } from "../../projects/projects";
import { conflict, invalid, notFound } from "../../refusal";
import type { RequestHeaders } from "../../request-headers";
import type { Handlers, Input } from "../handler";
import { paginate } from "../paginate";

interface Context extends ChangeContext, AuthenticationContext {
  readonly responseStore: ResponseStore;
  readonly projectCache: Pick<ProjectCache, "find">;
  readonly backgroundResponseStore: BackgroundResponseStore;
  readonly backgroundResponses: Pick<BackgroundResponses, "cancel">;
  readonly openStreams: OpenStreams;
  logFault(requestId: string, error: unknown): void;
}

const DEFAULT_LIMIT = 20;

export type ResponseIds = "retrieveResponse" | "listResponseItems" | "deleteResponse" | "cancelResponse";

export function responseRoutes(context: Context): Handlers<ResponseIds> {
  return {
    retrieveResponse: async (input) => {
      const { params, query, caller, headers } = input;
      const stored = await findResponse(context, params.response_id, caller, headers);
      const reply = query.stream === "true" ? streamResponse(context, input, stored) : stored.response;
      return reply as never;
    },
    cancelResponse: async ({ params, caller, headers, request }) => {
      const find = () => findResponse(context, params.response_id, caller, headers);
      const { response } = await context.backgroundResponses.cancel(request, find);
      return response as never;
    },
    listResponseItems: async ({ params, query, caller, headers }) => {
      const { input } = await findResponse(context, params.response_id, caller, headers);
      // This list's default order is latest first, so `asc` reverses it.
      const { after, before, limit = DEFAULT_LIMIT, order } = query;
      const latestFirst = order === "asc" ? input : input.toReversed();
      return paginate(listInMemory(latestFirst), { after, before, limit }, (item) => item);
    },
    deleteResponse: async ({ params, caller, headers, request }) => {
      const { id } = await change(context, request, async (transaction) => {
        const stored = await findResponse(context, params.response_id, caller, headers);
        refuseRunning(stored);
        await context.responseStore.delete(transaction, stored);
        return stored;
      });
      return { id, object: "response", deleted: true };
    },
  };
}

/** @throws Refusal 400 for a response that was awaited, and 429. */
function streamResponse(
  context: Context,
  { params, query, caller, headers, request }: Input<"retrieveResponse">,
  { background }: StoredResponse,
): Response {
  if (!background)
    throw invalid("stream", "Only a response of the background is streamed again. Leave stream out.");
  const { response_id: id } = params;
  const callerNow = followAccess(context, { headers }, operations.retrieveResponse, params);
  return followResponse(context, {
    reader: caller,
    requestId: request.event.requestId ?? id,
    after: query.starting_after === undefined ? -1 : Number(query.starting_after),
    find: () => findResponse(context, id, callerNow(), headers),
  });
}

/** @throws Refusal 409 */
function refuseRunning({ id, background }: StoredResponse): void {
  if (!background?.isRunning) return;
  throw conflict("response_id", `The response "${id}" is under way. Cancel it, then delete it.`, "in_use");
}

/** @throws Refusal 404 for one of another project, or of a model that the key may not call. */
async function findResponse(
  { responseStore, projectCache }: Context,
  id: string,
  caller: Caller,
  headers: RequestHeaders,
): Promise<StoredResponse> {
  const stored = await responseStore.find(id);
  const isOwn = stored?.projectId === findChargedProject(projectCache, caller, headers);
  if (stored && isOwn && isModelInScope(caller.scope, stored.model)) return stored;
  throw notFound("response", id, "response_id");
}
