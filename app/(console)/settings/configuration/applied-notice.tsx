"use client";

import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { countNouns } from "@/components/ui/values/group-digits";
import type { ConfigurationApplication } from "@/lib/contract/operations/configuration/configuration";
import { undoConfiguration } from "./actions";
import { ObjectName } from "./plan-view";

export function countApplied(count: number): string {
  if (count === 0) return "Noted as applied: nothing differed";
  return `${countNouns(count, "change")} applied`;
}

/** What was just applied, with its undo. */
export function AppliedNotice({ applied }: { applied: ConfigurationApplication }) {
  return (
    <Notice
      tone="good"
      role="status"
      title={countApplied(applied.changes.length)}
      actions={<UndoButton key={applied.id} id={applied.id} />}
    >
      It can be undone for 30 days. What somebody changes until then stays, and is named.
    </Notice>
  );
}

/** Undoes what was applied, and names what it left alone. */
export function UndoButton({ id }: { id: string }) {
  const undoing = useAction(undoConfiguration, { refetch: "all" });
  const { data, error } = undoing;
  if (data) {
    return (
      <div role="status" className="text-sm">
        <p>{countNouns(data.undone.length, "change")} undone.</p>
        {data.left.length > 0 && (
          <ul>
            {data.left.map(({ id: changed, path, reason }) => (
              <li key={changed}>
                <ObjectName path={path} /> stays: {reason}
              </li>
            ))}
          </ul>
        )}
      </div>
    );
  }
  return (
    <>
      <Button pending={undoing.isPending} onClick={() => undoing.mutate({ id })}>
        Undo
      </Button>
      {error && <p className="text-sm text-danger">{error.problem.message}</p>}
    </>
  );
}
