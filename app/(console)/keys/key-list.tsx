"use client";

import { Pencil } from "lucide-react";
import { findKeys } from "@/components/keys/find-keys";
import { keyColumns } from "@/components/keys/key-columns";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { IconButton } from "@/components/ui/icon-button";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FilteredList, type FurtherRows } from "@/components/ui/table/filtered-list";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { DeleteKey } from "./delete-key";
import { KeyMenu } from "./key-menu";
import { describeKeyScope } from "./key-scope";
import { useKeyUsage } from "./use-key-usage";

const columns: readonly Column<ProjectApiKey>[] = [
  {
    id: "name",
    header: "Name",
    sortValue: ({ name }) => name,
    cell: ({ name }) => <span className="inline-block min-w-24 font-medium wrap-anywhere">{name}</span>,
  },
  { ...keyColumns.value, wide: true },
  {
    id: "scope",
    header: "Limited to",
    width: "w-28",
    apiName: "models, endpoints",
    sortValue: describeKeyScope,
    cell: (key) => (
      <span className="wrap-anywhere">
        {describeKeyScope(key) || <span className="text-muted">no limit</span>}
      </span>
    ),
  },
  {
    id: "creator",
    header: "Created by",
    apiName: "created_by",
    wide: true,
    sortValue: (key) => key.created_by?.name ?? "",
    cell: (key) => (
      <span className="wrap-anywhere">
        {key.created_by?.name ?? <span className="text-muted">not recorded</span>}
      </span>
    ),
  },
  { ...keyColumns.used, width: "w-24" },
  { ...keyColumns.expires, width: "w-24" },
];

function buildActionsColumn(
  { projectId, baseUrl, usageSince }: Pick<KeyListProps, "projectId" | "baseUrl" | "usageSince">,
  rename: KeyListProps["rename"],
): Column<ProjectApiKey> {
  return actionsColumn({
    width: "w-28",
    cell: (key) => (
      <>
        {rename && (
          <IconButton
            size="small"
            label={`Rename key “${key.name}”`}
            icon={<Pencil />}
            onClick={() => rename(key)}
          />
        )}
        {rename && <DeleteKey projectId={projectId} target={key} />}
        <KeyMenu
          projectId={projectId}
          target={key}
          baseUrl={baseUrl}
          seesCalls={usageSince !== null}
          canWrite={rename !== undefined}
        />
      </>
    ),
  });
}

type KeyListProps = {
  keys: readonly ProjectApiKey[];
  further: FurtherRows<ProjectApiKey>;
  projectId: string;
  baseUrl: string;
  /** Start of the usage shown for each key, in Unix seconds; null if the person can't see usage. */
  usageSince: number | null;
  /** Undefined for people who can't rename keys. */
  rename: ((key: ProjectApiKey) => void) | undefined;
};

export function KeyList({ keys, further, projectId, rename, ...shown }: KeyListProps) {
  const usage = useKeyUsage(projectId, shown.usageSince);
  return (
    <FilteredList
      caption="Keys of the project"
      columns={[...columns, ...usage, buildActionsColumn({ projectId, ...shown }, rename)]}
      rows={keys}
      rowId={({ id }) => id}
      noun="key"
      label="Search keys"
      unfilteredUpTo={10}
      find={findKeys}
      none={(typed) => `No key has “${typed}” in its name or last characters.`}
      download={<CsvLink href={buildExportUrl("listProjectApiKeys", { project_id: projectId })} />}
      further={further}
    />
  );
}
