"use client";

import { useEffect } from "react";
import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import { Button } from "@/components/ui/button";
import { RefusedState } from "@/components/ui/states/refused-state";
import { ErrorState } from "@/components/ui/states/state-panel";
import { UnsupportedState } from "@/components/ui/states/unsupported-state";
import type { Problem } from "@/lib/console/gateway/problem";

type ProblemStateProps = {
  problem: Problem;
  /** What the person wants to do, after "to": "list the roles". */
  to: string;
  retry?: () => void;
  /** 1 if the page has no head above. */
  level?: 1 | 2;
};

/** The state of a screen or section whose read failed. */
export function ProblemState({ problem, to, retry, level = 2 }: ProblemStateProps) {
  const isOver = problem.code === "unauthenticated";
  useEffect(() => {
    if (isOver) leaveForSignIn();
  }, [isOver]);

  if (problem.code === "missing_permission") {
    return <RefusedState to={to} permissions={problem.permission === null ? [] : [problem.permission]} />;
  }
  if (problem.code === "unsupported") return <UnsupportedState operation={to} endpoint={problem.endpoint} />;
  return (
    <ErrorState
      level={level}
      title={isOver ? "Your session has ended" : `Could not ${to.replace(/^see /, "load ")}`}
      requestId={problem.requestId ?? undefined}
      action={
        retry && (
          <Button variant="secondary" onClick={retry}>
            Try again
          </Button>
        )
      }
    >
      {problem.message}
    </ErrorState>
  );
}

/** Stands in place of a section while the gateway is down. `UnreachableNotice` gives the reason, once for the page. */
export function NotLoaded() {
  return (
    <p className="rounded-md border border-dashed px-4 py-6 text-center text-sm text-muted">Not loaded</p>
  );
}
