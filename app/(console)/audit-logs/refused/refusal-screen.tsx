"use client";

import { ShieldCheck } from "lucide-react";
import { useMemo } from "react";
import { useMemberOptions } from "@/components/filters/filter-choices";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useRead, useReadRows } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ReadState } from "@/components/queries/states/read-state";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter, TextFilter } from "@/components/ui/filters/filter-fields";
import { RangeFilter } from "@/components/ui/filters/range-filter";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { PageHead } from "@/components/ui/page-head";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { AuditLogTabs } from "../audit-log-tabs";
import { refusalColumns } from "./refusal-columns";
import { DEFAULT_RANGE, type FilterName, filterNames, refusalParameters } from "./refusal-filter";
import { reasons } from "./refusal-words";

/** Refused requests and who made them. */
export function RefusalScreen({ openedAt }: { openedAt: number }) {
  const { parameters, active } = useAddressFilter(filterNames, refusalParameters, openedAt);
  return (
    <>
      <PageHead
        title="Audit log"
        sentence="Requests without a valid key or the required permission, counted per minute."
        action={
          <ExportMenu
            row="row"
            buildHref={(form) => buildExportUrl("listAccessRefusals", parameters, form)}
          />
        }
      />
      <AuditLogTabs current="refused" />
      <div className="grid gap-3">
        <RefusalFilters active={active} />
        <RefusalList openedAt={openedAt} />
      </div>
    </>
  );
}

const reasonChoices = Object.entries(reasons).map(([value, label]) => ({ value, label }));

const further: readonly FilterName[] = ["ip_addresses"];

/** The filters of the list, bound to the address. */
function RefusalFilters({ active }: { active: readonly FilterName[] }) {
  const { options: members, search } = useMemberOptions();
  return (
    <FilterBar
      names={filterNames}
      active={active}
      further={{ names: further, fields: <FurtherFilters />, isWide: true }}
    >
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <SelectFilter label="Person" parameter="caller_ids" all="Anybody" options={members} search={search} />
      <SelectFilter label="Reason" parameter="codes" all="Any reason" options={reasonChoices} />
    </FilterBar>
  );
}

function FurtherFilters() {
  return <TextFilter label="Network address" parameter="ip_addresses" placeholder="Such as 192.0.2.10" />;
}

/** Refusals grouped by minute, newest first. */
function RefusalList({ openedAt }: { openedAt: number }) {
  const { parameters, active } = useAddressFilter(filterNames, refusalParameters, openedAt);
  const refusals = useReadRows("listAccessRefusals", parameters);
  const projects = useRead(...wholeList("listProjects")).data?.data;
  const columns = useMemo(
    () => refusalColumns(new Map(projects?.map(({ id, name }) => [id, name]))),
    [projects],
  );
  return (
    <ReadState
      read={refusals}
      to="see refused requests"
      skeleton={<TableSkeleton rows={12} columns={6} />}
      empty={
        active.length > 0 ? (
          <EmptyState icon={ShieldCheck} title="No refusal fits these filters">
            Remove a filter, or choose a longer period.
          </EmptyState>
        ) : (
          <EmptyState icon={ShieldCheck} title="Nothing was refused in this period">
            Requests without a valid key or the required permission are listed here.
          </EmptyState>
        )
      }
    >
      {(rows) => (
        <PagedTable
          read={refusals}
          noun="row"
          caption="Refused access, newest first"
          columns={columns}
          rows={rows}
          rowId={({ id }) => id}
        />
      )}
    </ReadState>
  );
}
