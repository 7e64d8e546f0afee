"use client";

import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useCreate } from "@/components/queries/actions/use-create";
import { limitFields } from "@/components/rate-limits/limit-fields";
import { Button } from "@/components/ui/button";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { askLimitApproval } from "../actions";
import { approvalReads } from "./grid-reads";
import { type ListedChange, toRequest } from "./list-changes";
import type { useReplay } from "./use-replay";

type SaveOrAskProps = {
  changes: readonly ListedChange[];
  replay: ReturnType<typeof useReplay>;
  isReady: boolean;
  isPending: boolean;
  save: () => void;
};

/** Saves the draft; or asks a second person first, where a limit rises above a bound. */
export function SaveOrAsk({ changes, replay, isReady, isPending, save }: SaveOrAskProps) {
  const ask = useCreate(askLimitApproval, {
    refetch: approvalReads,
    onSuccess: () => void replay.refetch(),
  });
  const approval = replay.data?.approval;
  const [first] = approval?.needed ?? [];
  const asked = approval?.draft ?? null;
  const saveButton = (
    <Button variant="primary" disabled={!isReady} pending={isPending} onClick={save}>
      Save {countNouns(changes.length, "change")}
    </Button>
  );
  if (!approval || !first) return saveButton;
  const label = limitFields.find(({ name }) => name === first.field)?.label.toLowerCase();
  const why = `Needed because a limit rises above ${formatCount(first.above)} ${label}.`;
  if (asked?.status === "approved")
    return (
      <>
        <ApprovalNote isGiven text={`${asked.decided_by?.name} approved this draft.`} why={why} />
        {saveButton}
      </>
    );
  const isWaiting = asked?.status === "pending";
  const text = isWaiting
    ? "This draft waits for a second person."
    : asked?.status === "declined"
      ? `${asked.decided_by?.name} declined it: ${asked.reason}`
      : "A second person has to approve exactly this draft.";
  return (
    <>
      <ApprovalNote text={ask.error?.problem.message ?? text} why={why} />
      {isWaiting ? (
        <Button pending={replay.isFetching} onClick={() => void replay.refetch()}>
          Check again
        </Button>
      ) : (
        <Button
          variant="primary"
          disabled={!isReady || replay.isFetching}
          pending={ask.isPending}
          onClick={() => ask.mutate({ changes: toRequest(changes) })}
        >
          Ask for approval
        </Button>
      )}
    </>
  );
}

function ApprovalNote({ text, why, isGiven = false }: { text: string; why: string; isGiven?: boolean }) {
  const Icon = isGiven ? ShieldCheck : ShieldAlert;
  return (
    <p role="status" className="mr-auto flex items-center gap-2 text-sm">
      <Icon aria-hidden className={isGiven ? "size-5 text-success" : "size-5 text-warning"} />
      <span>
        <b className="block font-semibold">{text}</b>
        <span className="text-muted">{why}</span>
      </span>
    </p>
  );
}
