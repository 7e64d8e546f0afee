import type { Permission } from "@/lib/contract/permissions";
import type { Caller } from "../../access/caller";
import { narrowTo, visibleProjects } from "../../access/visible-projects";
import type { BatchRecord } from "../../batches/batch-store";
import { describeBatch } from "../../batches/describe-batch";
import { type CreateBatchContext, createBatch } from "../../batching/create-batch";
import { systemChange } from "../../changes/change";
import type { FileStore } from "../../files/file-store";
import type { KeyMirror } from "../../keys/key-mirror";
import type { ProjectMirror } from "../../projects/project-mirror";
import { conflict, notFound } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import { payingProject } from "../calls/completions";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { findFile } from "./files";
import { keysSeenBy } from "./tasks";

type Ids = "createBatch" | "listBatches" | "retrieveBatch" | "cancelBatch";

interface Context extends CreateBatchContext {
  readonly files: FileStore;
  readonly graph: AccessGraph;
  readonly keyMirror: KeyMirror;
  readonly projectMirror: Pick<ProjectMirror, "find">;
  /** Makes the runner look for batches at once. */
  workOnBatches(): void;
  /** Begins no further line of it. */
  stopBatch(id: string): void;
}

export function batchRoutes(context: Context): Handlers<Ids> {
  const { batches, graph, effects } = context;
  return {
    createBatch: async ({ body, caller, headers }) => {
      const projectId = payingProject(context.projectMirror, caller, headers);
      const file = await findFile(context, body.input_file_id, caller, "api.files.read");
      const batch = await createBatch(context, { caller, projectId, file }, body);
      context.workOnBatches();
      return describeBatch(batch);
    },
    listBatches: ({ query, caller }) => {
      const { project_id, ...page } = query;
      const visible = visibleProjects(graph, caller, "api.batches.read");
      const filter = { projectIds: narrowTo(visible, project_id), keyIds: keysSeenBy(context, caller) };
      return paginate(batches.listed(filter), page, describeBatch);
    },
    retrieveBatch: async ({ params, caller }) =>
      describeBatch(await findBatch(context, params.batch_id, caller, "api.batches.read")),
    cancelBatch: async ({ params, caller }) => {
      const batch = await findBatch(context, params.batch_id, caller, "api.batches.write");
      const { id, status, endedAtMs } = batch;
      if (endedAtMs !== null) {
        throw conflict("batch_id", `The batch "${id}" has ended: it is ${status}.`, "batch_ended");
      }
      const atMs = effects.clock.nowMs();
      await systemChange(context, "batch", (transaction) => batches.requestCancel(transaction, id, atMs));
      context.stopBatch(id);
      return describeBatch((await batches.find(id)) ?? batch);
    },
  };
}

/** @throws Refusal 404 where there is none that the caller may see. */
async function findBatch(
  context: Pick<Context, "batches" | "graph" | "keyMirror">,
  id: string,
  caller: Caller,
  permission: Permission,
): Promise<BatchRecord> {
  const visible = visibleProjects(context.graph, caller, permission);
  const batch = await context.batches.find(id);
  const isOwn = batch && (keysSeenBy(context, caller)?.includes(batch.keyId) ?? true);
  if (batch && isOwn && (visible?.includes(batch.projectId) ?? true)) return batch;
  throw notFound("batch", id, "batch_id");
}
