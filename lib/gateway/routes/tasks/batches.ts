import type { Batch } from "@/lib/contract/operations/batches";
import type { Permission } from "@/lib/contract/permissions";
import type { Caller } from "../../access/caller";
import { chargedProject } from "../../access/charged-project";
import { narrowTo, visibleProjects } from "../../access/visible-projects";
import type { BatchRecord } from "../../batches/batch-store";
import { type CreateBatchContext, createBatch } from "../../batching/create-batch";
import { type PreviewBatchContext, previewBatch } from "../../batching/preview-batch";
import { readBatchErrors } from "../../batching/read-batch-errors";
import { systemChange } from "../../changes/change";
import type { FileStore } from "../../files/file-store";
import type { RequestHeaders } from "../../incoming-request";
import type { KeyMirror } from "../../keys/key-mirror";
import type { ProjectMirror } from "../../projects/project-mirror";
import { conflict, notFound } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { describeBatch } from "./describe-batch";
import { findFile } from "./files";
import { visibleKeyIds } from "./tasks";

type Ids =
  | "previewBatch"
  | "createBatch"
  | "listBatches"
  | "retrieveBatch"
  | "retrieveBatchErrors"
  | "cancelBatch";

interface Context extends CreateBatchContext, PreviewBatchContext {
  readonly files: FileStore;
  readonly graph: AccessGraph;
  readonly keyMirror: KeyMirror;
  readonly projectMirror: Pick<ProjectMirror, "find">;
  /** Makes the runner look for batches at once. */
  workOnBatches(): void;
  /** Starts no further lines of a batch. */
  stopBatch(id: string): void;
  describePace(id: string): Batch["pace"];
}

export function batchRoutes(context: Context): Handlers<Ids> {
  const { batches, graph, effects } = context;
  const describe = (batch: BatchRecord) =>
    describeBatch(batch, {
      currency: context.organization.currency,
      pace: context.describePace(batch.id),
      nowMs: effects.clock.nowMs(),
    });
  const toBatchOwner = async (
    body: { readonly input_file_id: string },
    { caller, headers }: { readonly caller: Caller; readonly headers: RequestHeaders },
  ) => ({
    caller,
    projectId: chargedProject(context.projectMirror, caller, headers),
    file: await findFile(context, body.input_file_id, caller, "api.files.read"),
  });
  return {
    previewBatch: async ({ body, ...request }) =>
      previewBatch(context, { ...(await toBatchOwner(body, request)), endpoint: body.endpoint }),
    createBatch: async ({ body, ...request }) => {
      const batch = await createBatch(context, await toBatchOwner(body, request), body);
      context.workOnBatches();
      return describe(batch);
    },
    listBatches: ({ query, caller }) => {
      const { project_id, status, model, ...page } = query;
      const visible = visibleProjects(graph, caller, "api.batches.read");
      const keyIds = visibleKeyIds(context, caller);
      const filter = { projectIds: narrowTo(visible, project_id), keyIds, status, model };
      return paginate(batches.pages(filter), page, describe);
    },
    retrieveBatch: async ({ params, caller }) =>
      describe(await findBatch(context, params.batch_id, caller, "api.batches.read")),
    retrieveBatchErrors: async ({ params, caller }) =>
      readBatchErrors(context, await findBatch(context, params.batch_id, caller, "api.batches.read")),
    cancelBatch: async ({ params, caller }) => {
      const batch = await findBatch(context, params.batch_id, caller, "api.batches.write");
      const { id, status, endedAtMs } = batch;
      if (endedAtMs !== null) {
        throw conflict("batch_id", `The batch "${id}" has ended: it is ${status}.`, "batch_ended");
      }
      const atMs = effects.clock.nowMs();
      await systemChange(context, "batch", (transaction) => batches.requestCancel(transaction, id, atMs));
      context.stopBatch(id);
      return describe((await batches.find(id)) ?? batch);
    },
  };
}

/** @throws Refusal 404 if there is none that the caller may see. */
async function findBatch(
  context: Pick<Context, "batches" | "graph" | "keyMirror">,
  id: string,
  caller: Caller,
  permission: Permission,
): Promise<BatchRecord> {
  const visible = visibleProjects(context.graph, caller, permission);
  const batch = await context.batches.find(id);
  const isOwn = batch && (visibleKeyIds(context, caller)?.includes(batch.keyId) ?? true);
  if (batch && isOwn && (visible?.includes(batch.projectId) ?? true)) return batch;
  throw notFound("batch", id, "batch_id");
}
