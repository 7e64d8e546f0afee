"use client";

import type { ReactNode } from "react";
import type { SpendScope } from "@/components/money/spend-scope";
import { FiringSection } from "./firing-section";
import { SpendAlertSection } from "./spend-alert-section";
import { SpendLimitSection } from "./spend-limit-section";

type SpendSectionsProps = SpendScope & {
  /** Names of the projects whose alerts fired. */
  projects: readonly { id: string; name: string }[];
  /** Shown between the limit and the alerts. */
  children?: ReactNode;
};

/** The spend limit, the alerts and their firings. */
export function SpendSections({ projects, children, ...scope }: SpendSectionsProps) {
  return (
    <div className="grid gap-10">
      {scope.may("api.spend_limits.read") && <SpendLimitSection {...scope} />}
      {children}
      {scope.may("api.spend_alerts.read") && (
        <>
          <SpendAlertSection {...scope} />
          <FiringSection {...scope} projects={projects} />
        </>
      )}
    </div>
  );
}
