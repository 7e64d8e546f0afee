import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { type AuthenticationContext, authenticateAgain } from "../../access/authenticate";
import { findChargedProject, listVisibleProjects, narrowTo } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { BatchRecord } from "../../batches/batch-store.sql";
import {
  type CancelBatchContext,
  type CreateBatchContext,
  cancelBatch,
  createBatch,
  type PreviewBatchContext,
  previewBatch,
} from "../../batches/batches";
import { readBatchErrors } from "../../batches/lines/line-results";
import type { FileStore } from "../../files/file-store.sql";
import type { ProjectCache } from "../../projects/projects";
import type { RequestHeaders } from "../../request-headers";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { findBatch, findFile, listVisibleKeyIds } from "../visible-work";
import { describeBatch } from "./describe-batch";

type Ids =
  | "previewBatch"
  | "createBatch"
  | "listBatches"
  | "retrieveBatch"
  | "retrieveBatchErrors"
  | "cancelBatch";

interface Context extends CreateBatchContext, PreviewBatchContext, CancelBatchContext, AuthenticationContext {
  readonly batches: CreateBatchContext["batches"];
  readonly runtime: CreateBatchContext["runtime"];
  readonly files: FileStore;
  readonly projectCache: Pick<ProjectCache, "find">;
  /** Makes the runner look for batches at once. */
  workOnBatches(): void;
  describePace(id: string): Batch["pace"];
}

export function batchRoutes(context: Context): Handlers<Ids> {
  const { batches, graph, runtime } = context;
  const describe = (batch: BatchRecord) =>
    describeBatch(batch, {
      currency: context.organization.currency,
      pace: context.describePace(batch.id),
      nowMs: runtime.clock.nowMs(),
    });
  const toBatchOwner = async (
    body: { readonly input_file_id: string },
    { caller, headers }: { readonly caller: Caller; readonly headers: RequestHeaders },
  ) => ({
    caller,
    projectId: findChargedProject(context.projectCache, caller, headers),
    file: await findFile(context, body.input_file_id, caller, "api.files.read"),
  });
  return {
    previewBatch: async ({ body, ...request }) =>
      previewBatch(context, { ...(await toBatchOwner(body, request)), endpoint: body.endpoint }),
    createBatch: async ({ body, request, ...asked }) => {
      const batch = await createBatch(context, request, await toBatchOwner(body, asked), body);
      context.workOnBatches();
      return describe(batch);
    },
    listBatches: ({ query, caller }) => {
      const { project_id, status, model, ...page } = query;
      const visible = listVisibleProjects(graph, caller, "api.batches.read");
      const keyIds = listVisibleKeyIds(context, caller);
      const filter = { projectIds: narrowTo(visible, project_id), keyIds, status, model };
      return paginate(batches.pages(filter), page, describe);
    },
    retrieveBatch: async ({ params, caller }) =>
      describe(await findBatch(context, params.batch_id, caller, "api.batches.read")),
    retrieveBatchErrors: async ({ params, caller }) =>
      readBatchErrors(context, await findBatch(context, params.batch_id, caller, "api.batches.read")),
    cancelBatch: async ({ params, headers, request }) =>
      describe(
        await cancelBatch(context, request, () =>
          findBatch(context, params.batch_id, authenticateAgain(context, headers), "api.batches.write"),
        ),
      ),
  };
}
