import type { Permission } from "@/lib/contract/access/permissions";
import type { AuthenticationContext } from "../access/authenticate";
import {
  type AccessRequirement,
  authorizeAgain,
  isScoped,
  listVisibleProjects,
  refuseContent,
} from "../access/authorize";
import type { Caller } from "../access/caller";
import type { BatchRecord, BatchStore } from "../batches/batch-store.sql";
import type { FileRecord, FileStore } from "../files/file-store.sql";
import type { KeyCache } from "../keys/key-cache";
import type { RequestLogReader } from "../log/requests/request-log-reader.sql";
import { isRunBy } from "../log/requests/request-record";
import { missingPermission, notFound, unauthenticated } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import type { AccessGraph } from "../roles/access-graph";
import type { TaskRecord, TaskStore } from "../tasks/task-store.sql";

interface Context {
  readonly graph: AccessGraph;
  readonly keyCache: KeyCache;
}

/** A task, a batch or a file. */
interface OwnedObject {
  readonly projectId: string;
  /** The key or member that it belongs to; null if it is not known. */
  readonly keyId: string | null;
}

/** @throws Refusal 404 if there is no task that the caller may see, which the refusal calls `noun`. */
export function findTask(
  context: Context & { readonly tasks: Pick<TaskStore, "find"> },
  id: string,
  caller: Caller,
  permission: "api.tasks.read" | "api.tasks.write",
  { noun, param } = { noun: "task", param: "task_id" },
): Promise<TaskRecord> {
  return findVisible(context, caller, context.tasks, id, { noun, param, permission });
}

interface OwnTaskContext {
  readonly tasks: Pick<TaskStore, "find">;
  readonly requests: Pick<RequestLogReader, "find">;
}

/** @throws Refusal 404 for a task that somebody else made. */
export async function findOwnTask(context: OwnTaskContext, id: string, caller: Caller): Promise<TaskRecord> {
  const task = await context.tasks.find(id);
  if (task && (await isMadeBy(context, caller, task))) return task;
  throw notFound("task of yours", id, "task_id");
}

/** Whether a caller made a task, as themselves or as another key. */
export async function isMadeBy(
  { requests }: Pick<OwnTaskContext, "requests">,
  { keyId }: Caller,
  { requestId, keyId: maker }: TaskRecord,
): Promise<boolean> {
  return maker === keyId || isRunBy(requests, requestId, keyId);
}

/** @throws Refusal 404 if there is no batch that the caller may see. */
export function findBatch(
  context: Context & { readonly batches: Pick<BatchStore, "find"> },
  id: string,
  caller: Caller,
  permission: "api.batches.read" | "api.batches.write",
): Promise<BatchRecord> {
  const named = { noun: "batch", param: "batch_id", permission };
  return findVisible(context, caller, context.batches, id, named);
}

/** @throws Refusal 404 if there is no file that the caller may see. */
export function findFile(
  context: Context & { readonly files: Pick<FileStore, "find"> },
  id: string,
  caller: Caller,
  permission: "api.files.read" | "api.files.write",
): Promise<FileRecord> {
  return findVisible(context, caller, context.files, id, { noun: "file", param: "file_id", permission });
}

async function findVisible<Found extends OwnedObject>(
  context: Context,
  caller: Caller,
  store: { find(id: string): Promise<Found | null> },
  ...[id, { noun, param, permission }]: [string, { noun: string; param: string; permission: Permission }]
): Promise<Found> {
  const found = await store.find(id);
  if (found && isVisible(context, caller, permission, found)) return found;
  throw notFound(noun, id, param);
}

/** Whether a caller may see a task, a batch or a file. */
export function isVisible(
  context: Context,
  caller: Caller,
  permission: Permission,
  { projectId, keyId }: OwnedObject,
): boolean {
  const isProjectVisible =
    listVisibleProjects(context.graph, caller, permission)?.includes(projectId) ?? true;
  return isProjectVisible && (listVisibleKeyIds(context, caller)?.some((id) => id === keyId) ?? true);
}

/**
 * Returns the keys whose tasks, batches and files a limited key can see: itself and the keys it replaced. Null for
 * callers without such limits.
 */
export function listVisibleKeyIds(
  { keyCache }: Pick<Context, "keyCache">,
  { scope, keyId }: Caller,
): string[] | null {
  return isScoped(scope) ? keyCache.rotationChain(keyId) : null;
}

/**
 * Returns a function for a file that is read for longer than an instant. It throws a Refusal once the reader may not
 * read this file any more, whatever else changes of their rights meanwhile.
 */
export function followContent(
  context: AuthenticationContext,
  { headers }: { readonly headers: RequestHeaders },
  operation: AccessRequirement,
  object: OwnedObject,
): () => void {
  const { permission } = operation;
  return () => {
    const reader = authorizeAgain(context, headers, operation);
    if (!reader) throw unauthenticated();
    if (typeof permission === "string" && !isVisible(context, reader, permission, object))
      throw missingPermission(permission);
    refuseContent(reader, object);
  };
}
