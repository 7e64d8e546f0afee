"use client";

import { Undo2 } from "lucide-react";
import { ChangeWords } from "@/components/audit-log/change-words";
import { describeObject } from "@/components/audit-log/describe-event";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { revert } from "../actions";
import { planRevert } from "./plan-revert";

/** Undoes an event with a new change, or says why that isn't possible. */
export function RevertButton({ event }: { event: AuditLog }) {
  const plan = planRevert(event);
  if (typeof plan === "string") return <p className="text-sm text-muted">{plan}</p>;
  const object = describeObject(event)?.name ?? "this";
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button size="small" onClick={ask}>
          <Undo2 aria-hidden />
          Revert
        </Button>
      )}
      title={`Revert this change of ${object}?`}
      confirmLabel="Revert change"
      danger={false}
      action={revert}
      input={{ id: event.id }}
      refetch="all"
      done={() => "Reverted by a new event"}
    >
      <ul className="mb-2 grid gap-1 text-foreground">
        {plan.changes.map((change, index) => (
          // Keyed by position: an event never changes.
          <li key={index}>
            <ChangeWords change={change} />
          </li>
        ))}
      </ul>
      This is a new change in your name. It takes effect immediately.
    </ConfirmedAction>
  );
}
