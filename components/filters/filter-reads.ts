import { firstRows } from "@/components/queries/reads/whole-list";
import type { PageQuery } from "@/components/ui/filters/time-range";
import type { ReadId, ReadParameters } from "@/lib/console/reads/reads";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

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

/**
 * Returns the providers of all models as filter options. Includes the selected one even if no model uses it any more.
 */
export function providerOptions(
  models: readonly Pick<OrganizationModel, "routes">[],
  asked: string,
): { readonly value: string; readonly label: string }[] {
  const ids = new Set(models.flatMap(({ routes }) => routes.map(({ provider }) => provider)));
  if (asked !== "") ids.add(asked);
  return [...ids].toSorted().map((id) => ({ value: id, label: id }));
}
