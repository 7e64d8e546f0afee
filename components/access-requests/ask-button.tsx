"use client";

import { Check, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { DateTime } from "@/components/ui/time/date-time";
import type { AccessRequest, AccessRequestDraft } from "@/lib/contract/operations/people/access-requests";
import { useAsk } from "./use-ask";

type AskButtonProps = {
  draft: AccessRequestDraft;
  /** "Ask for 10 requests per minute". */
  label: string;
  /** Who answers: "someone who can set this project’s limits". */
  answeredBy: string;
  /** Does what was refused once more; undefined where that can't be done here. */
  tryAgain: (() => void) | undefined;
};

/** Asks for more in one click, says that it waits and what was answered, and then offers to try again. */
export function AskButton({ draft, label, answeredBy, tryAgain }: AskButtonProps) {
  const { state, problem, request, ask, withdraw } = useAsk(draft);
  const isWaiting = state === "asked" || state === "before";
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <span role="status" className="contents">
        {isWaiting && (
          <Told icon={<Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />}>
            {state === "before" ? "You have asked for this already." : "Asked."} It is waiting for{" "}
            {answeredBy}.
          </Told>
        )}
        {request && (state === "approved" || state === "declined") && <Answer request={request} />}
      </span>
      {state === "approved" && tryAgain && (
        <Button variant="primary" onClick={tryAgain}>
          Try again now
        </Button>
      )}
      {(state === "idle" || state === "pending" || state === "withdrawn") && (
        <Button variant="primary" pending={state === "pending"} onClick={() => void ask()}>
          {label}
        </Button>
      )}
      {isWaiting && request !== null && (
        <Button size="small" onClick={() => void withdraw()}>
          Withdraw
        </Button>
      )}
      {problem !== null && state !== "before" && (
        <span role="alert" className="text-sm text-danger">
          {problem}
        </span>
      )}
    </span>
  );
}

function Answer({ request: { status, decided_by, decline_reason, ends_at } }: { request: AccessRequest }) {
  const by = decided_by ? ` by ${decided_by.name}` : "";
  return status === "approved" ? (
    <Told icon={<Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />}>
      Allowed{by}
      {ends_at !== null && (
        <>
          , until <DateTime at={ends_at} />
        </>
      )}
      .
    </Told>
  ) : (
    <Told icon={<CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />}>
      Declined{by}
      {decline_reason ? `: “${decline_reason}”` : "."}
    </Told>
  );
}

function Told({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="flex items-start gap-1.5 text-sm">
      {icon}
      <span>{children}</span>
    </span>
  );
}
