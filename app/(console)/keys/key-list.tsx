"use client";

import { Pencil } from "lucide-react";
import type { Column } from "@/components/table/column";
import { FilteredList } from "@/components/table/filtered-list";
import { IconButton } from "@/components/ui/icon-button";
import { exportUrl } from "@/lib/console/reads";
import type { ProjectApiKey } from "@/lib/contract/operations/project-api-keys";
import { HistoryLink } from "../history-link";
import { keyColumns } from "../key-columns";
import { DeleteKey } from "./delete-key";

const columns: readonly Column<ProjectApiKey>[] = [
  {
    id: "name",
    header: "Name",
    sortValue: ({ name }) => name,
    cell: ({ name }) => <span className="font-medium break-words">{name}</span>,
  },
  { ...keyColumns.value, width: "w-64" },
  keyColumns.created,
  keyColumns.used,
  keyColumns.expires,
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
