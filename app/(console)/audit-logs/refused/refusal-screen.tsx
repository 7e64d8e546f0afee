"use client";

import { ShieldCheck } from "lucide-react";
import { useMemo } from "react";
import { AuditLogTabs } from "@/app/(console)/audit-logs/audit-log-tabs";
import { useMemberOptions } from "@/components/filters/filter-choices";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useRead, useReadRows } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ReadState } from "@/components/queries/states/read-state";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter, TextFilter } from "@/components/ui/filters/filter-fields";
import { RangeFilter } from "@/components/ui/filters/range-filter";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { PageHead } from "@/components/ui/page";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import { capitalize } from "@/components/ui/text/capitalize";
import { ClockTime } from "@/components/ui/time/clock-time";
import { Quantity } from "@/components/ui/values/quantity";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { AccessRefusal } from "@/lib/contract/operations/audit/audit-logs";
import { DEFAULT_RANGE, type FilterName, filterNames, refusalParameters } from "./refusal-filter";

/** Explanations by refusal code. */
const reasons: Readonly<Record<string, string>> = {
  invalid_api_key: "No valid key or session",
  missing_permission: "Permission missing",
  exceeds_own_permissions: "More than their own rights",
  viewing_as_role: "A change while viewing as a role",
  outside_key_scope: "Outside the key’s limits",
  own_ownership: "Their own ownership",
  predefined_role: "Predefined role",
  predefined_provider: "Predefined provider",
};

export const describeReason = ({ code }: Pick<AccessRefusal, "code">) => reasons[code] ?? code;

const callerTypes = { user: null, admin_key: "admin key", project_key: "project key" } as const;

export function describeCaller({ caller }: Pick<AccessRefusal, "caller">) {
  if (caller === null) return { name: "Unknown", note: null };
  return { name: caller.name, note: callerTypes[caller.type] };
}

/** Turns an operation's id into words: `deleteProjectApiKey` becomes "Delete project API key". */
export function describeOperation({ operation }: Pick<AccessRefusal, "operation">): string {
  if (operation === null) return "Several operations";
  const words = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bapi\b/, "API");
  return capitalize(words);
}

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

/** @param projectNames names by project id. */
function refusalColumns(projectNames: ReadonlyMap<string, string>): readonly Column<AccessRefusal>[] {
  return [
    {
      id: "time",
      header: "Time",
      apiName: "first_at",
      width: "w-32",
      cell: ({ first_at }) => <ClockTime at={first_at} />,
    },
    {
      id: "caller",
      header: "Who",
      apiName: "caller",
      width: "w-56",
      cell: (row) => <Who {...row} />,
    },
    {
      id: "operation",
      header: "What",
      apiName: "operation",
      cell: (row) => <What row={row} projectNames={projectNames} />,
    },
    { id: "reason", header: "Reason", apiName: "code", width: "w-52", cell: describeReason },
    {
      id: "refusals",
      header: "Refusals",
      apiName: "refusals",
      numeric: true,
      width: "w-24",
      cell: ({ refusals }) => <Quantity value={refusals} />,
    },
    {
      id: "from",
      header: "From",
      apiName: "ip_address",
      width: "w-36",
      wide: true,
      cell: ({ ip_address, operation }) => (
        <code className="font-mono text-sm wrap-anywhere text-muted">
          {ip_address ?? (operation === null ? "several" : "not known")}
        </code>
      ),
    },
  ];
}

function Who(row: AccessRefusal) {
  const { name, note } = describeCaller(row);
  return (
    <span className="wrap-anywhere">
      {row.caller ? name : <span className="text-muted">{name}</span>}
      {note && <span className="text-muted"> · {note}</span>}
    </span>
  );
}

function What({ row, projectNames }: { row: AccessRefusal; projectNames: ReadonlyMap<string, string> }) {
  const { project_id: id } = row;
  return (
    <span className="wrap-anywhere">
      {describeOperation(row)}
      {id && <span className="text-muted"> in {projectNames.get(id) ?? id}</span>}
    </span>
  );
}
