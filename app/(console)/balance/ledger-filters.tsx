"use client";

import { useRead } from "@/app/queries/use-read";
import { FilterBar } from "@/components/table/filter-bar";
import { Choice, Titled, Typed } from "@/components/table/filter-fields";
import { FilterInput } from "@/components/table/filter-input";
import { RangeFilter } from "@/components/table/range-filter";
import { TypedAmount } from "@/components/table/typed-amount";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { entryKinds } from "../ledger-entry-columns";
import { DEFAULT_RANGE, type FilterName, filterNames } from "./ledger-filter";

const further: readonly FilterName[] = ["key_id", "min_amount", "max_amount", "reference", "request_id"];

/** The filters of the ledger, bound to the address. */
export function LedgerFilters({ asked }: { asked: readonly FilterName[] }) {
  const projects = useRead("listProjects", { limit: "1000" }).data?.data ?? [];
  const models = useRead("listOrganizationModels", { limit: "1000" }).data?.data ?? [];
  return (
    <FilterBar names={filterNames} asked={asked} further={{ names: further, fields: <MoreFilters /> }}>
      <FilterInput label="Search entries" parameter="text" />
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <Choice
        label="Kind"
        parameter="kind"
        all="All kinds"
        options={Object.entries(entryKinds).map(([value, label]) => ({ value, label }))}
      />
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
    </FilterBar>
  );
}

/** The less common filters. Keys need a project, since no operation lists the keys of all projects. */
function MoreFilters() {
  const [project] = useUrlParameter("project_id");
  const currency = useRead("retrieveBalance").data?.currency;
  const ofProject = { project_id: project, limit: "1000" };
  const keys = useRead("listProjectApiKeys", ofProject, { enabled: project !== "" }).data?.data ?? [];
  return (
    <>
      {project === "" ? (
        <Typed label="Key or member id" parameter="key_id" placeholder="key_… or user_…" />
      ) : (
        <Titled title="Key">
          <Choice
            label="Key"
            parameter="key_id"
            all="All keys"
            options={keys.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Titled>
      )}
      <TypedAmount label="Amount at least" parameter="min_amount" placeholder="0.01" currency={currency} />
      <TypedAmount label="Amount at most" parameter="max_amount" placeholder="100.00" currency={currency} />
      <Typed label="Reference contains" parameter="reference" placeholder="Invoice 2026-11" />
      <Typed label="Request id" parameter="request_id" placeholder="req_…" />
    </>
  );
}
