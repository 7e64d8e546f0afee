"use client";

import { KeyRound } from "lucide-react";
import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { useRead } from "@/app/queries/use-read";
import type { Column } from "@/components/table/column";
import { FilterInput } from "@/components/table/filter-input";
import { SortedTable } from "@/components/table/sorted-table";
import { Toolbar } from "@/components/table/toolbar";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ProjectApiKey } from "@/lib/contract/operations/project-api-keys";
import { CreateKey } from "./create-key";
import { DeleteKey } from "./delete-key";
import { KeyListSkeleton } from "./key-list-skeleton";
import { keyReads } from "./reads-of-keys";

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
    header: "",
    width: "w-12",
    phone: "end",
    cell: (key) => <DeleteKey projectId={projectId} target={key} />,
  };
}

type KeyListProps = { projectId: string; baseUrl: string; canWrite: boolean };

export function KeyList({ projectId, baseUrl, canWrite }: KeyListProps) {
  const [[read, parameters]] = keyReads(projectId);
  const keys = useRead(read, parameters);
  const [filter] = useUrlParameter("q");

  if (!keys.data && keys.error) {
    const retry = () => void keys.refetch();
    return <ProblemState problem={keys.error.problem} to="list the keys" retry={retry} />;
  }
  if (!keys.data) return <KeyListSkeleton />;
  const rows = keys.data.data;
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={KeyRound}
        title="No key yet"
        action={canWrite && <CreateKey projectId={projectId} baseUrl={baseUrl} />}
        example="For example “production” or “nightly reports”: one for each program, so that one can be deleted alone."
      >
        A program sends its key with every call. The call then counts for this project.
      </EmptyState>
    );
  }
  const sought = filter.trim().toLowerCase();
  return (
    <>
      <StaleNotice read={keys} />
      {(rows.length > FILTERED_FROM || filter !== "") && (
        <Toolbar>
          <FilterInput label="Search keys" />
        </Toolbar>
      )}
      <SortedTable
        caption="Keys of the project"
        columns={canWrite ? [...columns, removalFrom(projectId)] : columns}
        rows={rows.filter((key) => `${key.name} ${key.redacted_value}`.toLowerCase().includes(sought))}
        rowId={({ id }) => id}
        none={`No key has “${filter}” in its name or last characters.`}
      />
      {keys.data.has_more && (
        <p className="mt-2 text-sm text-muted">
          These are the latest {rows.length}. The others are in the API, page by page.
        </p>
      )}
    </>
  );
}
