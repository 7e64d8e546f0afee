"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import type { ModelFamily } from "@/lib/contract/calls/model-families";
import { useOptions } from "./use-options";

/** A filter by project, bound to the address. Replacing a project removes the filter by one of its keys. */
export function ProjectFilter({ keyParameter }: { keyParameter: string }) {
  const { rows, search } = useOptions("listProjects");
  const options = rows.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectFilter
      label="Project"
      parameter="project_id"
      all="All projects"
      options={options}
      search={search}
      clears={[keyParameter]}
    />
  );
}

/** A filter by model, bound to the address. Offers the models of the families that `isOffered` accepts. */
export function ModelFilter({ isOffered = () => true }: { isOffered?: (family: ModelFamily) => boolean }) {
  const { rows, search } = useOptions("listOrganizationModels");
  const options = rows.filter(({ family }) => isOffered(family)).map(({ id }) => ({ value: id, label: id }));
  return <SelectFilter label="Model" parameter="model" all="All models" options={options} search={search} />;
}

/** The members to choose from in a filter. None if the person can't list them. */
export function useMemberOptions() {
  const { rows, ...options } = useOptions("listUsers");
  return {
    ...options,
    options: rows.map(({ id, name, email }) => ({ value: id, label: name || email, note: email })),
  };
}

/** A filter by a key of the project in the address, since no operation lists the keys of all projects. */
export function KeyFilter({ parameter }: { parameter: string }) {
  const [project] = useUrlParameter("project_id");
  const read = wholeList("listProjectApiKeys", { project_id: project });
  const keys = useRead(...read, { enabled: project !== "" }).data?.data ?? [];
  const options = keys.map(({ id, name }) => ({ value: id, label: name }));
  return <SelectFilter label="Key" parameter={parameter} all="All keys" options={options} />;
}
