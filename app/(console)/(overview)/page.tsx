import { redirect } from "next/navigation";
import { Prefetched } from "@/app/queries/prefetched";
import { startsInPlayground } from "@/components/shell/starts-in-playground";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { environment } from "@/lib/console/environment";
import { paths } from "@/lib/console/paths";
import { permissionsIn } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/session";
import type { Permission } from "@/lib/contract/permissions";
import { sessionData } from "../session-data";
import { FiredAlerts } from "./fired-alerts";
import { Overview } from "./overview";
import { type FiringsRead, firingsRead, latestEntries, listedModels, stepReads } from "./reads-of-overview";
import { SpecificationOverview } from "./specification-overview";

export const metadata = { title: "Overview" };

const READ_ALERTS = "api.spend_alerts.read";

export default async function OverviewPage() {
  await requireSession();
  const { offer, me, projects, currentProjectId } = await sessionData();
  const held = me && { organization: me.permissions, project: permissionsIn(me, currentProjectId) };
  if (held && startsInPlayground(held)) redirect(paths.playground());
  const may = (permission: Permission) => held?.organization.includes(permission) ?? true;
  const sees = { balance: may("api.balance.read"), ledger: may("api.ledger.read") };
  const { baseUrl } = environment().gateway;
  const steps = currentProjectId ? Object.values(stepReads(currentProjectId)) : [];
  const firings = await readableFirings();
  if (offer === "specification") {
    return (
      <Page>
        <PageHead title="Overview" sentence="What can be done from here, and where programs call." />
        <SpecificationOverview baseUrl={baseUrl} />
      </Page>
    );
  }
  return (
    <Page>
      <PageHead
        title="Overview"
        sentence={
          sees.balance || sees.ledger
            ? "What is left to spend, what was spent last, and where programs call."
            : "Where programs call, and what to do first."
        }
      />
      <Prefetched
        reads={[
          listedModels,
          ...steps,
          ...(sees.balance ? (["retrieveBalance"] as const) : []),
          ...(sees.ledger ? [latestEntries] : []),
          ...(firings ? [firings] : []),
        ]}
      >
        <Overview
          projectId={currentProjectId}
          hasNoProject={projects?.length === 0}
          baseUrl={baseUrl}
          sees={sees}
        >
          {firings && <FiredAlerts read={firings} projects={projects} />}
        </Overview>
      </Prefetched>
    </Page>
  );
}

/** This month's, of whatever may be read; null where nothing may. */
async function readableFirings(): Promise<FiringsRead | null> {
  const { me, currentProjectId, mayInProject } = await sessionData();
  const month = new Date().toISOString().slice(0, 7);
  if (me?.permissions.includes(READ_ALERTS) ?? true) return firingsRead(month, null);
  return currentProjectId && mayInProject(READ_ALERTS) ? firingsRead(month, currentProjectId) : null;
}
