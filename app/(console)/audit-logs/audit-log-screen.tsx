"use client";

import { History } from "lucide-react";
import {
  auditLogParameters,
  DEFAULT_RANGE,
  type FilterName,
  filterNames,
  inShort,
} from "@/components/audit-log/audit-log-filter";
import { ChangeWords, describeChanges } from "@/components/audit-log/describe-changes";
import { describeObject, describePerson, findActorAddress } from "@/components/audit-log/describe-event";
import { describeType, typeChoices } from "@/components/audit-log/event-words";
import { useOptions } from "@/components/filters/use-options";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useRead, useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useOpenRow } from "@/components/ui/drawer/use-open-row";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter, TextFilter } from "@/components/ui/filters/filter-fields";
import { FilterInput } from "@/components/ui/filters/filter-input";
import { RangeFilter } from "@/components/ui/filters/range-filter";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { GuideLink, TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import { CopyButton } from "@/components/ui/text/copy-button";
import { ClockTime } from "@/components/ui/time/clock-time";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { AuditLogTabs } from "./audit-log-tabs";

/** All changes and who made them. */
export function AuditLogScreen({ openedAt }: { openedAt: number }) {
  const { parameters, active } = useAddressFilter(filterNames, auditLogParameters, openedAt);
  return (
    <>
      <PageHead
        title="Audit log"
        sentence={
          <>
            Who changed what, when and from where. Nobody can edit it.{" "}
            <GuideLink page="security" anchor="logs">
              How the log is protected
            </GuideLink>
          </>
        }
        action={
          <ExportMenu row="event" buildHref={(form) => buildExportUrl("listAuditLogs", parameters, form)} />
        }
      />
      <AuditLogTabs current="changes" />
      <div className="grid gap-3">
        <ChainState />
        <AuditLogFilters active={active} />
        <AuditLogList openedAt={openedAt} />
      </div>
    </>
  );
}

/** The line is as high as its button: what stands below must not move under a finger once the log is verified. */
const LINE = "flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted pointer-coarse:min-h-11";

/** Shows whether the log is intact. The gateway verifies its hash chain. */
function ChainState() {
  const { data, error } = useRead("verifyAuditLogs");
  if (!data) {
    return (
      <div className={LINE}>
        <Status tone="neutral">
          {error ? "The hash chain was not verified" : "Verifying the hash chain…"}
        </Status>
      </div>
    );
  }
  const { length, hash, fault } = data;
  if (fault) {
    return (
      <Notice tone="bad" role="alert" title={`${fault.message}.`}>
        The database was changed outside of Gatehouse. Compare it with a backup.{" "}
        {fault.audit_log_id && <TextLink href={paths.auditLog(fault.audit_log_id)}>View event</TextLink>}
      </Notice>
    );
  }
  return (
    <div className={LINE}>
      <Status tone="good">Verified to event {formatCount(length)}</Status>
      <span className="inline-flex items-center gap-0.5">
        head <code className="font-mono">{hash.slice(0, 12)}…</code>
        <CopyButton text={`${length}:${hash}`} what="head" />
      </span>
    </div>
  );
}

// Not rendered on the server, which can't show modal dialogs. The address may open it at once.
const EventDrawer = loadOnClient(
  () => import("./event-state").then((file) => file.EventDrawer),
  ({ show }) => show(""),
);

/** Events, newest first. */
function AuditLogList({ openedAt }: { openedAt: number }) {
  const { parameters } = useAddressFilter(filterNames, auditLogParameters, openedAt);
  const [open, setOpen] = useOpenRow();
  const events = useReadRows("listAuditLogs", inShort(parameters));
  return (
    <>
      <ReadState
        read={events}
        to="see the audit log"
        skeleton={<TableSkeleton rows={12} columns={5} />}
        empty={
          <EmptyState icon={History} title="No event fits these filters">
            Remove a filter, or choose a longer period.
          </EmptyState>
        }
      >
        {(rows) => (
          <PagedTable
            read={events}
            noun="event"
            open={setOpen}
            caption="Changes, newest first"
            columns={auditLogColumns}
            rows={rows}
            openId={open}
            rowId={({ id }) => id}
            rowHref={({ id }) => paths.auditLog(id)}
          />
        )}
      </ReadState>
      {open && <EventDrawer id={open} ids={(events.data ?? []).map(({ id }) => id)} show={setOpen} />}
    </>
  );
}

const further: readonly FilterName[] = ["resource_ids", "ip_addresses"];

/** The filters of the list, bound to the address. */
function AuditLogFilters({ active }: { active: readonly FilterName[] }) {
  const members = useOptions("listUsers");
  const adminKeys = useOptions("listAdminApiKeys");
  const projects = useOptions("listProjects");
  const searchPeople = (text: string) => {
    members.search?.(text);
    adminKeys.search?.(text);
  };
  return (
    <FilterBar
      names={filterNames}
      active={active}
      further={{ names: further, fields: <FurtherFilters />, isWide: true }}
    >
      <FilterInput label="Search the log" parameter="text" />
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <SelectFilter
        label="Person"
        parameter="actor_ids"
        all="Anybody"
        options={[
          ...members.rows.map(({ id, name, email }) => ({ value: id, label: email || name, note: name })),
          ...adminKeys.rows.map(({ id, name }) => ({ value: id, label: `${name} · admin key` })),
        ]}
        search={members.search || adminKeys.search ? searchPeople : undefined}
      />
      <SelectFilter label="What was done" parameter="event_types" all="Any change" options={typeChoices} />
      <SelectFilter
        label="Project"
        parameter="project_ids"
        all="Everywhere"
        options={projects.rows.map(({ id, name }) => ({ value: id, label: name }))}
        search={projects.search}
      />
    </FilterBar>
  );
}

function FurtherFilters() {
  return (
    <>
      <TextFilter label="Object id" parameter="resource_ids" placeholder="rl_…, key_…, role_…, user_…" />
      <TextFilter label="Network address" parameter="ip_addresses" placeholder="Such as 192.0.2.10" />
    </>
  );
}

const MAX_CHANGES_SHOWN = 2;

const auditLogColumns: readonly Column<AuditLog>[] = [
  {
    id: "time",
    header: "Time",
    apiName: "effective_at",
    width: "w-32",
    cell: ({ effective_at }) => <ClockTime at={effective_at} />,
  },
  { id: "person", header: "Person", apiName: "actor", width: "w-56", cell: (event) => <Person {...event} /> },
  {
    id: "what",
    header: "What",
    apiName: "type",
    width: "w-80",
    cell: (event) => <What event={event} />,
  },
  {
    id: "change",
    header: "Change",
    apiName: "changes",
    cell: (event) => <Changes {...event} />,
  },
  {
    id: "from",
    header: "From",
    apiName: "ip_address",
    width: "w-36",
    phone: "hidden",
    wide: true,
    cell: (event) => (
      <code className="font-mono text-sm wrap-anywhere text-muted">{findActorAddress(event)}</code>
    ),
  },
];

function Person(event: AuditLog) {
  const { name, note } = describePerson(event);
  return (
    <span className="wrap-anywhere">
      {name}
      {note && <span className="text-muted"> · {note}</span>}
    </span>
  );
}

function What({ event }: { event: AuditLog }) {
  const object = describeObject(event);
  return (
    <span className="wrap-anywhere">
      {describeType(event.type)}
      {object && (
        <span className="text-muted">
          {" "}
          · <span className="inline-block max-w-full">{object.name}</span>
        </span>
      )}
    </span>
  );
}

function Changes({ changes, more_changes: moreChanges }: Pick<AuditLog, "changes" | "more_changes">) {
  const described = describeChanges(changes);
  if (described.length === 0) return null;
  const more = described.length - MAX_CHANGES_SHOWN;
  return (
    <span className="line-clamp-2">
      {described.slice(0, MAX_CHANGES_SHOWN).map((change, index) => (
        // Keyed by position: an event never changes.
        <span key={index}>
          {index > 0 && <span className="text-muted"> · </span>}
          <ChangeWords change={change} />
        </span>
      ))}
      {more > 0 && (
        <span className="text-muted">
          {" "}
          · {more}
          {moreChanges ? "+" : ""} more
        </span>
      )}
    </span>
  );
}
