"use client";

import { FiringSection } from "./firing-section";
import { SpendAlertSection } from "./spend-alert-section";
import { SpendLimitSection } from "./spend-limit-section";
import type { SpendPlace } from "./spend-place";

type SpendSectionsProps = SpendPlace & {
  /** Names of the projects whose alerts fired. */
  projects: readonly { id: string; name: string }[];
};

/** The spend limit, the alerts and their firings. */
export function SpendSections({ projects, ...place }: SpendSectionsProps) {
  return (
    <div className="grid gap-10">
      {place.may("api.spend_limits.read") && <SpendLimitSection {...place} />}
      {place.may("api.spend_alerts.read") && (
        <>
          <SpendAlertSection {...place} />
          <FiringSection {...place} projects={projects} />
        </>
      )}
    </div>
  );
}
