import { firstRows, wholeList } from "@/components/queries/reads/whole-list";
import { TableSkeleton } from "@/components/ui/states/skeleton";

/** Returns the read of each key's usage since a time in Unix seconds. */
export function keyUsageRead(projectId: string, since: number) {
  const grouping = { group_by: "api_key_id", bucket_width: "range" };
  return wholeList("listUsageSums", { project_id: projectId, start_time: String(since), ...grouping });
}

/** Returns the reads of a project's keys, and of the models for a new key's example call. */
export function keyReads(projectId: string) {
  return {
    keys: firstRows("listProjectApiKeys", { project_id: projectId }),
    models: wholeList("listOrganizationModels"),
  };
}

/** Returns the read of a project's service accounts, newest first. */
export function serviceAccountRead(projectId: string) {
  return firstRows("listServiceAccounts", { project_id: projectId, order: "desc" });
}

/** Returns the keys whose name or visible characters contain the text. */
export function findKeys<Key extends { name: string; redacted_value: string }>(
  keys: readonly Key[],
  typed: string,
): Key[] {
  const sought = typed.trim().toLowerCase();
  return keys.filter((key) => `${key.name} ${key.redacted_value}`.toLowerCase().includes(sought));
}

export function KeyListSkeleton() {
  return <TableSkeleton rows={4} columns={5} />;
}
