"use client";

import { SpendSections } from "@/components/money/spend-sections";
import { TextLink } from "@/components/ui/links/text-link";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import { type HeldPermissions, holdsInOrganization } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";

type SpendLimitScreenProps = {
  currency: string;
  /** Null if the gateway doesn't report permissions. */
  held: Pick<HeldPermissions, "permissions"> | null;
  monthStart: number;
  projects: readonly { id: string; name: string }[];
};

/** The spend limit of all projects together. */
export function SpendLimitScreen({ currency, held, monthStart, projects }: SpendLimitScreenProps) {
  const may = (permission: Permission) => holdsInOrganization(held, permission);
  return (
    <>
      <PageHead
        title="Spend limits"
        sentence={
          <>
            The maximum monthly cost of all projects together. Each project has its own limit and alerts: open
            it under{" "}
            <TextLink href={paths.projects()} className="underline">
              Projects
            </TextLink>
            .
          </>
        }
      />
      <SpendSections
        project={null}
        currency={currency}
        may={may}
        monthStart={monthStart}
        projects={projects}
      />
    </>
  );
}
