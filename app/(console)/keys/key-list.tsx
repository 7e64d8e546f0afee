"use client";

import type { Column } from "@/components/table/column";
import { CsvLink } from "@/components/table/csv-link";
import { FilterInput } from "@/components/table/filter-input";
import { SortedTable } from "@/components/table/sorted-table";
import { Toolbar } from "@/components/table/toolbar";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { RelativeTime } from "@/components/ui/relative-time";
import { exportUrl } from "@/lib/console/reads";
import type { ProjectApiKey } from "@/lib/contract/operations/project-api-keys";
import { DeleteKey } from "./delete-key";

const FILTERED_FROM = 10;

const columns: readonly Column<ProjectApiKey>[] = [
  {
    id: "name",
    header: "Name",
    sortValue: ({ name }) => name,
    cell: ({ name }) => <span className="font-medium break-words">{name}</span>,
  },
  {
    id: "value",
    header: "Key",
    apiName: "redacted_value",
    width: "w-64",
    cell: (key) => <code className="font-mono text-sm text-muted">{key.redacted_value}</code>,
  },
  {
    id: "created",
    header: "Created",
    apiName: "created_at",
    width: "w-40",
    sortValue: (key) => key.created_at,
    cell: (key) => <RelativeTime at={key.created_at} />,
  },
  {
    id: "used",
    header: "Last used",
    apiName: "last_used_at",
    width: "w-40",
    sortValue: (key) => key.last_used_at ?? 0,
    cell: (key) =>
      key.last_used_at === null ? (
        <span className="text-muted">never</span>
      ) : (
        <RelativeTime at={key.last_used_at} />
      ),
  },
];

function removalFrom(projectId: string): Column<ProjectApiKey> {
  return {
    id: "delete",
    header: "Delete",
    width: "w-20",
    phone: "end",
    cell: (key) => <DeleteKey projectId={projectId} target={key} />,
  };
}

type KeyListProps = {
  keys: readonly ProjectApiKey[];
  hasMore: boolean;
  projectId: string;
  canWrite: boolean;
};

export function KeyList({ keys, hasMore, projectId, canWrite }: KeyListProps) {
  const [filter] = useUrlParameter("q");
  const sought = filter.trim().toLowerCase();
  return (
    <>
      <Toolbar actions={<CsvLink href={exportUrl("listProjectApiKeys", { project_id: projectId })} />}>
        {(keys.length > FILTERED_FROM || filter !== "") && <FilterInput label="Search keys" />}
      </Toolbar>
      <SortedTable
        caption="Keys of the project"
        columns={canWrite ? [...columns, removalFrom(projectId)] : columns}
        rows={keys.filter((key) => `${key.name} ${key.redacted_value}`.toLowerCase().includes(sought))}
        rowId={({ id }) => id}
        none={`No key has “${filter}” in its name or last characters.`}
      />
      {hasMore && (
        <p className="mt-2 text-sm text-muted">
          These are the latest {keys.length}. The others are in the API, page by page.
        </p>
      )}
    </>
  );
}
