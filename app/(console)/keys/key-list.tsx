"use client";

import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { keyColumns } from "@/components/keys/key-columns";
import { findKeys, keyUsageRead } from "@/components/keys/key-reads";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useRead } from "@/components/queries/reads/use-read";
import { useHolds } from "@/components/shell/held-permissions";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useReopen } from "@/components/ui/drafts/draft-scope";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu/menu";
import { Skeleton } from "@/components/ui/states/skeleton";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FilteredList, type FurtherRows } from "@/components/ui/table/filtered-list";
import { SelectionBar, useRowSelection } from "@/components/ui/table/use-row-selection";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { Quantity } from "@/components/ui/values/quantity";
import { formatShortDecimal, formatShortMoney } from "@/components/ui/values/write-figures";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { KeyAction } from "@/lib/contract/operations/keys/key-changes";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { parseCheckedAmount } from "@/lib/money/amount";
import { deleteKey } from "./actions";
import { describeKeyScope } from "./key-scope";

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
  const [search] = useUrlParameter("q");
  const loaded = [...keys, ...((!further.isSearched && further.rows) || [])];
  const listed = (further.isSearched && further.rows) || findKeys(loaded, search);
  const selection = useRowSelection({
    rows: listed,
    rowId: ({ id }) => id,
    rowName: ({ name }) => name,
  });
  const all = [...columns, ...usage, buildActionsColumn({ projectId, ...shown }, rename)];
  return (
    <>
      {selection.selected.length > 0 && rename && (
        <KeySelection projectId={projectId} keys={selection.selected} clear={selection.clear} />
      )}
      <FilteredList
        caption="Keys of the project"
        columns={rename && keys.length > 1 ? [selection.column, ...all] : all}
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
    </>
  );
}

type DeleteKeyProps = { projectId: string; target: ProjectApiKey };

function DeleteKey({ projectId, target }: DeleteKeyProps) {
  const { id, name, version, last_used_at: usedAt } = target;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton size="small" label={`Delete key “${name}”`} icon={<Trash2 />} onClick={ask} />
      )}
      title={`Delete the key “${name}”?`}
      confirmLabel="Delete key"
      action={deleteKey}
      input={{ projectId, keyId: id, version }}
      refetch={["listProjectApiKeys"]}
      done={() => `Key “${name}” deleted`}
    >
      Calls with it are refused immediately, including those of running programs.{" "}
      {usedAt === null ? (
        "It has never been used."
      ) : (
        <>
          It was last used <RelativeTime at={usedAt} />.
        </>
      )}{" "}
      What it has used stays in the ledger. This can’t be undone.
    </ConfirmedAction>
  );
}

const nothing = { requests: 0, amount: "0" };

/** Returns columns with each key's usage since a time in Unix seconds; none if the person can't see usage. */
function useKeyUsage(projectId: string, since: number | null): readonly Column<ProjectApiKey>[] {
  const [read, parameters] = keyUsageRead(projectId, since ?? 0);
  const { data, error } = useRead(read, parameters, { enabled: since !== null });
  if (since === null) return [];
  const sums = new Map(data?.data.map((sum) => [sum.group_id, sum]));
  // A key without calls has no sum. But if not all sums were loaded, a missing sum doesn't mean zero.
  const isWhole = data !== undefined && !data.has_more;
  const usedBy = ({ id }: ProjectApiKey) => sums.get(id) ?? (isWhole ? nothing : null);
  const unknown =
    data || error ? <span className="text-muted">unknown</span> : <Skeleton className="ml-auto h-4 w-10" />;
  return [
    {
      id: "calls",
      header: "30-day calls",
      numeric: true,
      ...(isWhole && { sortValue: (key: ProjectApiKey) => usedBy(key)?.requests ?? null }),
      cell: (key) => {
        const used = usedBy(key);
        return used ? <Quantity value={used.requests} /> : unknown;
      },
    },
    {
      id: "spend",
      header: "30-day spend",
      unit: data?.data[0]?.currency,
      numeric: true,
      ...(isWhole && { sortValue: (key: ProjectApiKey) => parseCheckedAmount(usedBy(key)?.amount ?? "0") }),
      amount: (key) => formatShortDecimal(parseCheckedAmount(usedBy(key)?.amount ?? "0")),
      cell: (key) => {
        const used = usedBy(key);
        return used ? <data value={used.amount}>{formatShortMoney(used.amount)}</data> : unknown;
      },
    },
  ];
}

const KeyDetails = loadOnClient(() => import("./key-details").then((file) => file.KeyDetails));
const KeyScopeDialog = loadOnClient(() => import("./key-dialogs").then((file) => file.KeyScopeDialog));
const RotateKeyDialog = loadOnClient(() => import("./key-dialogs").then((file) => file.RotateKeyDialog));

type KeyMenuProps = {
  projectId: string;
  target: ProjectApiKey;
  baseUrl: string;
  seesCalls: boolean;
  canWrite: boolean;
};

/** A key's actions other than renaming and deleting. */
function KeyMenu({ projectId, target, baseUrl, seesCalls, canWrite }: KeyMenuProps) {
  const [shown, setShown] = useState<"details" | "scope" | "rotation" | null>(null);
  const seesHistory = useHolds("api.audit_logs.read");
  const scope = `scope-${target.id}`;
  const rotation = `rotate-${target.id}`;
  useReopen([scope, rotation], (name) => {
    if (canWrite) setShown(name === scope ? "scope" : "rotation");
  });
  const close = () => setShown(null);
  const entries = [
    { id: "details", label: "Details and usage", onSelect: () => setShown("details") },
    ...(canWrite
      ? [
          { id: "scope", label: "Limit to models and endpoints", onSelect: () => setShown("scope") },
          { id: "rotation", label: "Rotate", onSelect: () => setShown("rotation") },
        ]
      : []),
    ...(seesHistory
      ? [
          {
            id: "history",
            label: "History",
            href: paths.auditLogs({ resource_ids: target.id, project_ids: projectId }),
          },
        ]
      : []),
  ];
  return (
    <>
      <Menu
        label={`More for key “${target.name}”`}
        align="end"
        trigger={<Ellipsis aria-hidden className="size-4" />}
        triggerClassName="inline-grid size-6 shrink-0 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground pointer-coarse:size-11"
        sections={[{ entries }]}
      />
      {shown === "details" && <KeyDetails {...{ projectId, target, seesCalls, close }} />}
      {shown === "scope" && <KeyScopeDialog {...{ projectId, target, close }} formName={scope} />}
      {shown === "rotation" && (
        <RotateKeyDialog {...{ projectId, target, baseUrl, close }} formName={rotation} />
      )}
    </>
  );
}

const ChangeKeysDialog = loadOnClient(() =>
  import("./many/change-keys-dialog").then((file) => file.ChangeKeysDialog),
);

const changeLabels = { set_scope: "Limit", expire: "Let expire", revoke: "Delete" } as const;

type KeySelectionProps = { projectId: string; keys: readonly ProjectApiKey[]; clear: () => void };

/** What can be done to the selected keys. */
function KeySelection({ projectId, keys, clear }: KeySelectionProps) {
  const [asks, setAsks] = useState<KeyAction["type"] | null>(null);
  const close = () => setAsks(null);
  return (
    <>
      <SelectionBar count={keys.length} noun="key" clear={clear}>
        {(Object.keys(changeLabels) as KeyAction["type"][]).map((type) => (
          <Button key={type} onClick={() => setAsks(type)}>
            {changeLabels[type]}
          </Button>
        ))}
      </SelectionBar>
      {asks && (
        <ChangeKeysDialog
          {...{ projectId, keys, close }}
          type={asks}
          done={() => {
            close();
            clear();
          }}
        />
      )}
    </>
  );
}
