"use client";

import { Check } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { AccessRequestDraft } from "@/lib/contract/operations/people/access-requests";
import { useAsk } from "./use-ask";

type AskButtonProps = {
  draft: AccessRequestDraft;
  /** "Ask for 10 requests per minute". */
  label: string;
  /** Who answers: "whoever sets the limits of the project". */
  answeredBy: string;
};

/** Asks for more in one click, and then says that it waits. */
export function AskButton({ draft, label, answeredBy }: AskButtonProps) {
  const { state, problem, id, ask, withdraw } = useAsk(draft);
  const isWaiting = state === "asked" || state === "before";
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      {isWaiting ? (
        <span role="status" className="flex items-start gap-1.5 text-sm">
          <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
          <span>
            {state === "before" ? "You have asked for this already." : "Asked."} It waits for {answeredBy}.
          </span>
        </span>
      ) : (
        <Button variant="primary" pending={state === "pending"} onClick={() => void ask()}>
          {label}
        </Button>
      )}
      {isWaiting && id !== null && (
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
