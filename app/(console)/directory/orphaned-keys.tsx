"use client";

import { CircleCheck } from "lucide-react";
import { keyColumns } from "@/components/keys/key-columns";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { useProjectNames } from "@/components/shell/project/shell-projects";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { containsWords } from "@/components/ui/search/match-words";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { RelativeTime } from "@/components/ui/time/shown-time";
import type { OrphanedApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { keepKey, revokeKey } from "./actions";
import { orphanedKeysRead } from "./directory-reads";

const refetch = ["listOrphanedApiKeys", "listProjectApiKeys"] as const;

/** The keys that work although whoever made them has left. Somebody decides about each. */
export function OrphanedKeys({ canDecide }: { canDecide: boolean }) {
  const keys = useRead(...orphanedKeysRead);
  const further = useFurtherRows(orphanedKeysRead, keys.data);
  const projectNames = useProjectNames();
  const nameProject = (id: string) => projectNames(id) ?? id;
  return (
    <Section
      title="Keys created by people who left"
      description="They still work. Keep the keys that programs need and revoke the others: the person who left may still know them."
    >
      <ReadState
        read={keys}
        to="list the keys created by people who left"
        skeleton={<TableSkeleton rows={2} columns={5} />}
      >
        {({ data }) =>
          data.length === 0 ? (
            <Card className="flex gap-2.5 text-sm text-muted">
              <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
              None. Every working key was created by an active member.
            </Card>
          ) : (
            <FilteredList
              caption="Keys created by people who left"
              columns={[...keyListColumns(nameProject), ...(canDecide ? [decisions] : [])]}
              rows={data}
              rowId={({ id }) => id}
              noun="key"
              label="Search these keys"
              unfilteredUpTo={10}
              find={(all, typed) =>
                all.filter((key) =>
                  containsWords(`${key.name} ${key.created_by?.name} ${nameProject(key.project_id)}`, typed),
                )
              }
              none={(typed) => `No key has “${typed}” in its name, maker or project.`}
              further={further}
            />
          )
        }
      </ReadState>
    </Section>
  );
}

function keyListColumns(nameProject: (id: string) => string): readonly Column<OrphanedApiKey>[] {
  return [
    {
      id: "name",
      header: "Key",
      sortValue: ({ name }) => name,
      cell: ({ name, redacted_value }) => (
        <span className="grid">
          <span className="font-medium wrap-anywhere">{name}</span>
          <code className="font-mono text-sm text-muted">{redacted_value}</code>
        </span>
      ),
    },
    {
      id: "project",
      header: "Project",
      sortValue: (key) => nameProject(key.project_id),
      cell: (key) => <span className="wrap-anywhere">{nameProject(key.project_id)}</span>,
    },
    {
      id: "maker",
      header: "Made by",
      sortValue: (key) => key.created_by?.name ?? "",
      cell: ({ created_by: maker, maker_left: left }) => (
        <span className="grid">
          <span className="wrap-anywhere">{maker?.name}</span>
          <span className="text-sm text-muted">
            {left.how} <RelativeTime at={left.at} />
          </span>
        </span>
      ),
    },
    keyColumns.used,
  ];
}

const decisions = actionsColumn<OrphanedApiKey>({
  width: "w-44",
  cell: ({ id, name, version, project_id: projectId, last_used_at: usedAt }) => {
    const input = { projectId, keyId: id, version };
    return (
      <>
        <ConfirmedAction
          renderButton={(ask) => (
            <Button size="small" onClick={ask} aria-label={`Keep key “${name}”`}>
              Keep
            </Button>
          )}
          title={`Keep the key “${name}”?`}
          confirmLabel="Keep key"
          danger={false}
          action={keepKey}
          input={input}
          refetch={refetch}
          done={() => `Key “${name}” kept`}
        >
          It goes on as it is and leaves this list. If its maker may know it, rotate it on the page of the
          project’s keys.
        </ConfirmedAction>
        <ConfirmedAction
          renderButton={(ask) => (
            <Button size="small" variant="danger" onClick={ask} aria-label={`Revoke key “${name}”`}>
              Revoke
            </Button>
          )}
          title={`Revoke the key “${name}”?`}
          confirmLabel="Revoke key"
          action={revokeKey}
          input={input}
          refetch={refetch}
          done={() => `Key “${name}” revoked`}
        >
          Calls with it are refused immediately.{" "}
          {usedAt === null ? (
            "It has never been used."
          ) : (
            <>
              It was last used <RelativeTime at={usedAt} />.
            </>
          )}{" "}
          This can’t be undone.
        </ConfirmedAction>
      </>
    );
  },
});
