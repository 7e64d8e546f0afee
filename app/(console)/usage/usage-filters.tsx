"use client";

import { X } from "lucide-react";
import { useRead } from "@/app/queries/use-read";
import { changeAddress } from "@/components/table/change-address";
import { Choice } from "@/components/table/filter-fields";
import { RangeFilter } from "@/components/table/range-filter";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { Button } from "@/components/ui/button";
import { providerOptions } from "../provider-options";
import { DEFAULT_RANGE, filterNames, type UsageView } from "./usage-query";

const widthNames = [
  { value: "1m", label: "By the minute" },
  { value: "1h", label: "By the hour" },
  { value: "1d", label: "By the day (UTC)" },
];

/** The filters of the usage screen, bound to the address. */
export function UsageFilters({ view, isOwn }: { view: UsageView; isOwn: boolean }) {
  const projects = useRead("listProjects", { limit: "1000" }).data?.data ?? [];
  const models = useRead("listOrganizationModels", { limit: "1000" }).data?.data ?? [];
  const [provider] = useUrlParameter("provider");
  const providers = providerOptions(models, provider);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <RangeFilter defaultRange={DEFAULT_RANGE} hasAll={false} />
      <Choice label="Interval" parameter="bucket_width" all="Automatic interval" options={widthNames} />
      <Choice
        label="Project"
        parameter="project_id"
        all="All projects"
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Choice
        label="Model"
        parameter="model"
        all="All models"
        options={models.map(({ id }) => ({ value: id, label: id }))}
      />
      {providers.length > 1 && (
        <Choice label="Provider" parameter="provider" all="All providers" options={providers} />
      )}
      {!isOwn && <CallerFilters />}
      {view.asked.length > 0 && (
        <Button
          variant="ghost"
          onClick={() => changeAddress(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
        >
          <X aria-hidden />
          Clear
        </Button>
      )}
    </div>
  );
}

/** Keys need a project, since no operation lists the keys of all projects. */
function CallerFilters() {
  const [project] = useUrlParameter("project_id");
  const [key] = useUrlParameter("api_key_id");
  const members = useRead("listUsers", { limit: "1000" }).data?.data ?? [];
  const ofProject = { project_id: project, limit: "1000" };
  const keys = useRead("listProjectApiKeys", ofProject, { enabled: project !== "" }).data?.data ?? [];
  return (
    <>
      {(project !== "" || key !== "") && (
        <Choice
          label="Key"
          parameter="api_key_id"
          all="All keys"
          options={keys.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {members.length > 0 && (
        <Choice
          label="Member"
          parameter="user_id"
          all="Anybody"
          options={members.map(({ id, name, email }) => ({ value: id, label: name ?? email ?? id }))}
        />
      )}
    </>
  );
}
