"use client";

import { byReached } from "@/components/money/project-summary-reads";
import { ProjectSummaryTable } from "@/components/money/project-summary-table";
import { PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { paths } from "@/lib/console/paths";
import { type HeldPermissions, holdsInOrganization } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import { SpendSections } from "./spend-sections";

type SpendLimitScreenProps = {
  currency: string;
  /** Null if the gateway doesn't report permissions. */
  held: Pick<HeldPermissions, "permissions"> | null;
  monthStart: number;
  projects: readonly { id: string; name: string }[];
  /** Whether the person may list projects. */
  seesProjects: boolean;
};

/** The spend limits of all projects together. */
export function SpendLimitScreen({
  currency,
  held,
  monthStart,
  projects,
  seesProjects,
}: SpendLimitScreenProps) {
  const may = (permission: Permission) => holdsInOrganization(held, permission);
  return (
    <>
      <PageHead
        title="Spend limits"
        sentence="The most that calls may cost in a calendar month (UTC), for the organization and for each project."
      />
      <SpendSections project={null} currency={currency} may={may} monthStart={monthStart} projects={projects}>
        {seesProjects && (
          <Section
            title="Projects"
            description="Spent and forecast at the pace of the last 7 days, the projects that reach their limit first on top. Open one to set its limit and alerts."
          >
            <ProjectSummaryTable
              subject="spend limits"
              currency={currency}
              usual={byReached}
              rowHref={({ id }) => paths.spendLimits(id)}
              may={{ setLimits: may("api.spend_limits.write"), archive: false }}
            />
          </Section>
        )}
      </SpendSections>
    </>
  );
}
