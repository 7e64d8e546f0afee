"use client";

import { ShieldQuestionMark } from "lucide-react";
import type { ReactNode } from "react";
import { WaitingRequests } from "@/components/access-requests/waiting-requests";
import { NoProject } from "@/components/object-page/no-project";
import { useIsPainted } from "@/components/ui/browser/use-is-painted";
import { EmptyState } from "@/components/ui/states/empty-state";
import { LatestRefusals } from "./attention/latest-refusals";
import { NeedsAttention } from "./attention/needs-attention";
import { BalancePanel } from "./balance/balance-panel";
import { SpendAndRequests } from "./figures/spend-and-requests";
import { FirstCall } from "./first-call";
import { FirstSteps, type OwnSteps } from "./first-steps";
import { LatestChanges } from "./latest-changes";
import { LatestEntries } from "./latest-entries";
import { SpendSection } from "./spend-section";

export type OverviewRights = Readonly<
  Record<
    "balance" | "ledger" | "usage" | "requests" | "changes" | "limit" | "rateLimits" | "health" | "answers",
    boolean
  >
>;

type OverviewProps = {
  projectId: string | null;
  hasNoProject: boolean;
  /** True if the person holds no permission anywhere. */
  hasNoRole: boolean;
  baseUrl: string;
  /** What the person is allowed to read. */
  sees: OverviewRights;
  steps: OwnSteps;
  /** False for somebody who dismissed them. */
  showsSteps: boolean;
  /** Unix seconds. */
  openedAt: number;
  /** Shown above everything else. */
  children?: ReactNode;
};

/** Each section fails alone: one that can't be read shows its error without affecting the others. */
export function Overview(props: OverviewProps) {
  const { projectId, hasNoProject, hasNoRole, baseUrl, sees, steps, showsSteps, openedAt, children } = props;
  // Below what a window shows at first.
  const isPainted = useIsPainted();
  const seesConcerns = sees.rateLimits || sees.health;
  return (
    <div className="grid gap-8">
      {children}
      {sees.answers && <WaitingRequests />}
      {hasNoRole && (
        <EmptyState icon={ShieldQuestionMark} title="You have no role">
          Without one you see your own usage and the calculator. Ask someone with the Owner or Admin role for
          one, in the organization or in a project, then reload this page.
        </EmptyState>
      )}
      {hasNoProject && (
        <NoProject>Keys and rate limits belong to a project, so a project is the first step.</NoProject>
      )}
      {projectId && showsSteps && <FirstSteps key={projectId} projectId={projectId} own={steps} />}
      {(sees.balance || sees.usage) && (
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          {sees.balance && <BalancePanel openedAt={openedAt} seesHistory={sees.usage && sees.ledger} />}
          {sees.usage && <SpendAndRequests openedAt={openedAt} seesLimit={sees.limit} />}
        </div>
      )}
      {(sees.usage || seesConcerns) && (
        <div className="grid items-start gap-8 xl:grid-cols-[2fr_1fr] xl:[&>:only-child]:col-span-2">
          {sees.usage && <SpendSection openedAt={openedAt} />}
          {seesConcerns && <NeedsAttention sees={{ limits: sees.rateLimits, health: sees.health }} />}
        </div>
      )}
      {isPainted ? (
        <>
          {(sees.requests || sees.changes) && (
            <div
              className={
                sees.requests && sees.changes ? "grid items-start gap-8 xl:grid-cols-[2fr_1fr]" : undefined
              }
            >
              {sees.requests && <LatestRefusals />}
              {sees.changes && <LatestChanges />}
            </div>
          )}
          {sees.ledger && <LatestEntries />}
          <FirstCall baseUrl={baseUrl} />
        </>
      ) : (
        <div className="h-224" />
      )}
    </div>
  );
}
