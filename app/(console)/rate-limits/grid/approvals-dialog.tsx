"use client";

import { useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { limitFields } from "@/components/rate-limits/limit-fields";
import { useProjectNames } from "@/components/shell/project/shell-projects";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { toast } from "@/components/ui/dialog/toast";
import { Skeleton } from "@/components/ui/states/skeleton";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import type { ReadReply } from "@/lib/console/reads/reads";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import { approveLimitDraft, declineLimitDraft, saveLimitApproval } from "../actions";
import { useGrid } from "./grid-context";
import { approvalReads, waitingDrafts } from "./grid-reads";
import { writeLimit } from "./limit-cell";
import { nameModel, targetKey } from "./limit-pair";
import { parseTyped } from "./parse-typed";

/** The drafts that wait for a second person, and above which limits they do. */
export function ApprovalsDialog({ close }: { close: () => void }) {
  const waiting = useRead(...waitingDrafts);
  return (
    <Dialog
      open
      onClose={close}
      title="Approvals"
      description="Raising a limit above a threshold needs a second person’s approval."
    >
      <div className="grid gap-5">
        <ReadState
          read={waiting}
          to="list the drafts that wait"
          skeleton={<Skeleton className="h-16" />}
          empty={<p className="text-muted">No changes are waiting for approval.</p>}
        >
          {({ data }) => (
            <ul className="grid max-h-[45vh] divide-y overflow-y-auto">
              {data.map((draft) => (
                <WaitingDraft key={draft.id} draft={draft} />
              ))}
            </ul>
          )}
        </ReadState>
        <Bounds />
      </div>
    </Dialog>
  );
}

type Waiting = ReadReply<"listRateLimitDrafts">["data"][number];

function WaitingDraft({ draft }: { draft: Waiting }) {
  const [reason, setReason] = useState("");
  const done = (did: string) => () => toast({ message: `${did} the draft of ${draft.made_by.name}` });
  const approve = useAction(approveLimitDraft, { refetch: approvalReads, onSuccess: done("Approved") });
  const decline = useAction(declineLimitDraft, { refetch: approvalReads, onSuccess: done("Declined") });
  const problem = (approve.error ?? decline.error)?.problem;
  return (
    <li className="grid gap-2 py-3">
      <p>
        <b className="font-semibold">{draft.made_by.name}</b>{" "}
        <span className="text-muted">
          {draft.sets_approval ? "wants to change the thresholds" : countNouns(draft.size, "row")},{" "}
          <RelativeTime at={draft.created_at} />
        </span>
      </p>
      {draft.sets_approval ? (
        <BoundsAsked above={draft.sets_approval.above} />
      ) : (
        <DraftChanges id={draft.id} />
      )}
      {(problem ?? draft.approval_refusal) && (
        <p role={problem ? "alert" : undefined} className={problem ? "text-danger" : "text-sm text-muted"}>
          {problem?.message ?? draft.approval_refusal?.message}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <input
          className="field h-8 min-w-40 flex-1 text-sm pointer-coarse:h-11"
          aria-label={`Reason to decline the draft of ${draft.made_by.name}`}
          placeholder="Reason for declining"
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button
          size="small"
          disabled={reason.trim() === ""}
          pending={decline.isPending}
          onClick={() => decline.mutate({ draftId: draft.id, reason: reason.trim() })}
        >
          Decline
        </Button>
        <Button
          size="small"
          variant="primary"
          disabled={draft.approval_refusal !== null}
          pending={approve.isPending}
          onClick={() => approve.mutate({ draftId: draft.id })}
        >
          Approve
        </Button>
      </div>
    </li>
  );
}

/** As many changes as are listed at first. */
const FIRST = 100;

function DraftChanges({ id }: { id: string }) {
  const { state } = useGrid();
  const nameProject = useProjectNames();
  const read = useRead("retrieveRateLimitDraft", { draft_id: id });
  /** The draft may be of a project that the grid doesn't show. */
  const nameUnseen = (change: Parameters<typeof targetKey>[0]) =>
    change.project_id === undefined
      ? targetKey(change)
      : `${nameProject(change.project_id) ?? change.project_id} · ${change.model}`;
  return (
    <ReadState read={read} to="show the draft" skeleton={<Skeleton className="h-8" />}>
      {({ changes }) => (
        <ul className="grid gap-0.5 text-sm">
          {changes.slice(0, FIRST).flatMap((change) => {
            const pair = state.pairs().find(({ key }) => key === targetKey(change));
            const name = pair ? `${pair.projectName} · ${nameModel(pair)}` : nameUnseen(change);
            return limitFields.flatMap((field) => {
              const to = change.after[field.name];
              if (to === undefined) return [];
              return (
                <li key={`${name} ${field.name}`} className="flex justify-between gap-4">
                  <span className="wrap-anywhere text-muted">
                    {name} · {field.label}
                  </span>
                  <span className="shrink-0 tabular-nums">
                    {pair && <s className="text-muted">{writeLimit(pair.limits[field.name])}</s>}{" "}
                    <b className="font-semibold">{to === "default" ? "default" : writeLimit(to)}</b>
                  </span>
                </li>
              );
            });
          })}
          {changes.length > FIRST && (
            <li className="text-muted">and {countNouns(changes.length - FIRST, "other row")}</li>
          )}
        </ul>
      )}
    </ReadState>
  );
}

type Above = ReadReply<"retrieveRateLimitApproval">["above"];

function BoundsAsked({ above }: { above: Above }) {
  const set = limitFields.filter(({ name }) => above[name] !== undefined);
  if (set.length === 0) return <p className="text-sm">No limit would need a second person any more.</p>;
  return (
    <p className="text-sm">
      Approval is needed above{" "}
      {set.map(({ name, label }) => `${formatCount(above[name] ?? 0)} ${label}`).join(", ")}.
    </p>
  );
}

const bounded: readonly RateLimitField[] = ["max_tokens_per_1_minute", "max_requests_per_1_minute"];

function Bounds() {
  const read = useRead("retrieveRateLimitApproval");
  return (
    <ReadState read={read} to="show the thresholds" skeleton={<Skeleton className="h-16" />}>
      {(rule) => (
        <BoundsForm key={rule.version} above={rule.above} version={rule.version} waits={rule.waits} />
      )}
    </ReadState>
  );
}

type BoundsFormProps = { above: Above; version: string | undefined; waits: string | null };

function BoundsForm({ above, version, waits }: BoundsFormProps) {
  const write = (field: RateLimitField) => (above[field] === undefined ? "" : formatCount(above[field] ?? 0));
  const [typed, setTyped] = useState(() => Object.fromEntries(bounded.map((field) => [field, write(field)])));
  const save = useAction(saveLimitApproval, {
    refetch: approvalReads,
    onSuccess: ({ waits: asked }) =>
      toast({ message: asked === null ? "Thresholds saved" : "The thresholds wait for a second person" }),
  });
  const next: Above = { ...above };
  let fault: string | null = null;
  for (const field of limitFields.filter(({ name }) => bounded.includes(name))) {
    const parsed = parseTyped(typed[field.name] ?? "", { field, present: above[field.name] ?? null });
    delete next[field.name];
    if (parsed.kind === "set" && typeof parsed.to === "number") next[field.name] = parsed.to;
    else if (parsed.kind !== "unchanged")
      fault = `${field.label}: enter a number, or nothing for no threshold.`;
  }
  const isChanged = bounded.some((field) => next[field] !== above[field]);
  return (
    <section className="grid gap-2 border-t pt-4">
      <h3 className="font-semibold">Approval is needed above</h3>
      <div className="grid gap-3 sm:grid-cols-2">
        {limitFields
          .filter(({ name }) => bounded.includes(name))
          .map(({ name, label }) => (
            <label key={name} className="grid gap-1 text-sm">
              {label}
              <input
                className="field h-9 pointer-coarse:h-11"
                placeholder="no threshold"
                value={typed[name]}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
              />
            </label>
          ))}
      </div>
      {(fault ?? save.error) && (
        <p role="alert" className="text-sm text-danger">
          {fault ?? save.error?.problem.message}
        </p>
      )}
      <div className="flex items-center justify-between gap-3">
        <p className="text-sm text-pretty text-muted">
          {waits === null
            ? "Raising or removing a threshold needs a second person, too."
            : "A change of the thresholds waits above."}
        </p>
        <Button
          disabled={fault !== null || !isChanged}
          pending={save.isPending}
          onClick={() => save.mutate({ above: next, version })}
        >
          Save thresholds
        </Button>
      </div>
    </section>
  );
}
