"use client";

import { ShieldCheck } from "lucide-react";
import { useMemo } from "react";
import { useRead, useReadRows } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ReadState } from "@/components/queries/states/read-state";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import { refusalColumns } from "./refusal-columns";
import { filterNames, refusalParameters } from "./refusal-filter";

/** Refusals grouped by minute, newest first. */
export function RefusalList({ openedAt }: { openedAt: number }) {
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
