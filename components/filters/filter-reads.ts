import { firstRows } from "@/components/queries/reads/whole-list";
import type { PageQuery } from "@/components/ui/filters/time-range";
import type { ReadId, ReadParameters } from "@/lib/console/reads/reads";

/** What filters choose from. A list with more rows is searched by `useOptions`. */
export const optionReads = {
  listProjects: firstRows("listProjects", { order: "desc" }),
  listOrganizationModels: firstRows("listOrganizationModels"),
  listUsers: firstRows("listUsers", { order: "desc" }),
  listGroups: firstRows("listGroups", { order: "desc" }),
  listAdminApiKeys: firstRows("listAdminApiKeys", { order: "desc" }),
} as const satisfies Partial<Record<ReadId, readonly [ReadId, ReadParameters]>>;

const optionsOf = {
  projects: optionReads.listProjects,
  models: optionReads.listOrganizationModels,
  members: optionReads.listUsers,
} as const;

/**
 * Returns the reads of the options of those filters that the address sets, whose names the screen shows. The browser
 * reads the options of all others once the screen is there, so that no list waits for a thousand members.
 * @param filters the parameter of the address for each kind of option, such as `{ members: "actor_ids" }`.
 */
export function readsOfFilters(query: PageQuery, filters: Partial<Record<keyof typeof optionsOf, string>>) {
  return (Object.keys(optionsOf) as (keyof typeof optionsOf)[])
    .filter((kind) => query[filters[kind] ?? ""] !== undefined)
    .map((kind) => optionsOf[kind]);
}
