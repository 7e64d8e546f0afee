import { findChargedProject, isModelInScope } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import { type ChangeContext, change } from "../../changes/change";
import { listInMemory } from "../../lists/paged-list";
import type { ResponseStore, StoredResponse } from "../../log/responses/response-store.sql";
import type { ProjectCache } from "../../projects/projects";
import { notFound } from "../../refusal";
import type { RequestHeaders } from "../../request-headers";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

interface Context extends ChangeContext {
  readonly responseStore: ResponseStore;
  readonly projectCache: Pick<ProjectCache, "find">;
}

const DEFAULT_LIMIT = 20;

export type ResponseIds = "retrieveResponse" | "listResponseItems" | "deleteResponse";

export function responseRoutes(context: Context): Handlers<ResponseIds> {
  return {
    retrieveResponse: async ({ params, caller, headers }) => {
      const { response } = await findResponse(context, params.response_id, caller, headers);
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
      const stored = await findResponse(context, params.response_id, caller, headers);
      await change(context, request, (transaction) => context.responseStore.delete(transaction, stored));
      return { id: stored.id, object: "response", deleted: true };
    },
  };
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
