import { wholeList } from "@/components/queries/reads/whole-list";
import type { PageQuery } from "@/components/ui/filters/find-in-address";
import type { ReadId, ReadParameters } from "@/lib/console/reads/reads";

const optionReads = {
  projects: wholeList("listProjects"),
  models: wholeList("listOrganizationModels"),
  members: wholeList("listUsers"),
} as const satisfies Record<string, readonly [ReadId, ReadParameters]>;

/**
 * Returns the reads of the options of those filters that the address sets, whose names the screen shows. The browser
 * reads the options of all others once the screen is there, so that no list waits for a thousand members.
 * @param filters the parameter of the address for each kind of option, such as `{ members: "actor_ids" }`.
 */
export function readsOfFilters(query: PageQuery, filters: Partial<Record<keyof typeof optionReads, string>>) {
  return (Object.keys(optionReads) as (keyof typeof optionReads)[])
    .filter((kind) => query[filters[kind] ?? ""] !== undefined)
    .map((kind) => optionReads[kind]);
}
