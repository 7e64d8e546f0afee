import { contentPermissions } from "@/lib/contract/access/content-permissions";
import { missingPermission } from "../refusal";
import type { Caller } from "./caller";

/**
 * Seeing that a file exists doesn't permit reading it: a Reader sees that a task made a picture, but not the picture.
 * @throws Refusal 403 for a caller who neither made the file nor may call models or read request bodies in its project.
 */
export function refuseContent(
  { keyId, permissionsIn }: Pick<Caller, "keyId" | "permissionsIn">,
  call: { readonly projectId: string; readonly keyId: string | null },
): void {
  if (call.keyId === keyId) return;
  const permissions = permissionsIn(call.projectId);
  if (!contentPermissions.some((permission) => permissions.has(permission)))
    throw missingPermission(contentPermissions[0]);
}
