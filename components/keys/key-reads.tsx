import * as z from "zod/mini";
import { firstRows, wholeList } from "@/components/queries/reads/whole-list";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { DAY_S } from "@/lib/contract/durations";

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

/** The lifetimes offered for a new key, in days. */
const lifetimeNames = ["never", "7", "30", "90", "365"] as const;

/** "never", or the number of days until the key expires. */
export const keyLifetime = z.enum(lifetimeNames);
export type KeyLifetime = z.output<typeof keyLifetime>;

export const lifetimeOptions = lifetimeNames.map((value) => ({
  value,
  label: value === "never" ? "Never" : value === "365" ? "After one year" : `After ${value} days`,
}));

/** Converts a lifetime to the request's field: seconds from now, absent for a key that doesn't expire. */
export function toExpiry(lifetime: KeyLifetime): { expires_in_seconds?: number } {
  return lifetime === "never" ? {} : { expires_in_seconds: Number(lifetime) * DAY_S };
}
