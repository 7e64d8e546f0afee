"use client";

import { Pencil } from "lucide-react";
import type { Column } from "@/components/table/column";
import { FilteredList } from "@/components/table/filtered-list";
import { IconButton } from "@/components/ui/icon-button";
import { RelativeTime } from "@/components/ui/relative-time";
import { exportUrl } from "@/lib/console/reads";
import type { ProjectApiKey } from "@/lib/contract/operations/project-api-keys";
import { HistoryLink } from "../history-link";
import { DeleteKey } from "./delete-key";

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

function actionsFrom(projectId: string, rename: (key: ProjectApiKey) => void): Column<ProjectApiKey> {
  return {
    id: "actions",
    header: "Actions",
    width: "w-28",
    numeric: true,
    phone: "end",
    cell: (key) => (
      <span className="flex justify-end gap-1 pointer-coarse:gap-0">
        <IconButton
          size="small"
          label={`Rename key “${key.name}”`}
          icon={<Pencil />}
          onClick={() => rename(key)}
        />
        <HistoryLink id={key.id} projectId={projectId} inRowOf={key.name} />
        <DeleteKey projectId={projectId} target={key} />
      </span>
    ),
  };
}

type KeyListProps = {
  keys: readonly ProjectApiKey[];
  hasMore: boolean;
  projectId: string;
  /** Left out for those who may only look. */
  rename: ((key: ProjectApiKey) => void) | undefined;
};

export function KeyList({ keys, hasMore, projectId, rename }: KeyListProps) {
  return (
    <FilteredList
      caption="Keys of the project"
      columns={rename ? [...columns, actionsFrom(projectId, rename)] : columns}
      rows={keys}
      rowId={({ id }) => id}
      noun="key"
      label="Search keys"
      unfilteredUpTo={10}
      find={findKeys}
      none={(typed) => `No key has “${typed}” in its name or last characters.`}
      csv={exportUrl("listProjectApiKeys", { project_id: projectId })}
      hasMore={hasMore}
    />
  );
}

function findKeys(keys: readonly ProjectApiKey[], typed: string) {
  const sought = typed.trim().toLowerCase();
  return keys.filter((key) => `${key.name} ${key.redacted_value}`.toLowerCase().includes(sought));
}
