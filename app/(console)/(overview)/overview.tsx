"use client";

import type { ReactNode } from "react";
import { useRead } from "@/app/queries/use-read";
import { firstCallable } from "../callable-models";
import { NoProject } from "../no-project";
import { BalancePanel } from "./balance-panel";
import { BaseAddress } from "./base-address";
import { FirstSteps } from "./first-steps";
import { LatestEntries } from "./latest-entries";
import { listedModels } from "./reads-of-overview";

type OverviewProps = {
  projectId: string | null;
  hasNoProject: boolean;
  baseUrl: string;
  /** What the person may read. */
  sees: { balance: boolean; ledger: boolean };
  /** What has to be known first. */
  children?: ReactNode;
};

/** Each part stands for itself: one that can't be read says so and leaves the others alone. */
export function Overview({ projectId, hasNoProject, baseUrl, sees, children }: OverviewProps) {
  const models = useRead(...listedModels);
  const model = firstCallable(models.data?.data ?? [])?.id ?? "your-model";
  return (
    <div className="grid gap-8">
      {children}
      {hasNoProject && (
        <NoProject>Keys belong to a project, and rate limits hold for one. It is the first step.</NoProject>
      )}
      {projectId && <FirstSteps key={projectId} projectId={projectId} />}
      <div className={sees.balance ? "grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]" : undefined}>
        {sees.balance && <BalancePanel />}
        <BaseAddress baseUrl={baseUrl} model={model} />
      </div>
      {sees.ledger && <LatestEntries />}
    </div>
  );
}
