import type { Permission } from "@/lib/contract/permissions";
import type { KeyMirror } from "../keys/key-mirror";
import { notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import type { Caller } from "./caller";
import { isLimited } from "./key-limits";
import { visibleProjects } from "./visible-projects";

interface Context {
  readonly graph: AccessGraph;
  readonly keyMirror: KeyMirror;
}

/** A task, a batch or a file. */
export interface Work {
  readonly projectId: string;
  /** The key or member that it belongs to; null if it is not known. */
  readonly keyId: string | null;
}

/** What to look for, and how a refusal names it. */
interface Sought<Found> {
  readonly store: { find(id: string): Promise<Found | null> };
  readonly noun: string;
  readonly param: string;
  readonly permission: Permission;
}

/** @throws Refusal 404 if there is none that the caller may see. */
export async function findVisible<Found extends Work>(
  context: Context,
  caller: Caller,
  id: string,
  { store, noun, param, permission }: Sought<Found>,
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
  { projectId, keyId }: Work,
): boolean {
  const isProjectVisible = visibleProjects(context.graph, caller, permission)?.includes(projectId) ?? true;
  return isProjectVisible && (visibleKeyIds(context, caller)?.some((id) => id === keyId) ?? true);
}

/**
 * Returns the keys whose tasks, batches and files a limited key can see: itself and the keys it replaced. Null for
 * callers without such limits.
 */
export function visibleKeyIds(
  { keyMirror }: Pick<Context, "keyMirror">,
  { scope, keyId }: Caller,
): string[] | null {
  return isLimited(scope) ? keyMirror.rotationChain(keyId) : null;
}
