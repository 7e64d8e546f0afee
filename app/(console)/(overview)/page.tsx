import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { environment } from "@/lib/console/environment";
import { requireSession } from "@/lib/console/session";
import { sessionData } from "../session-data";
import { Overview } from "./overview";
import { latestEntries, listedModels, stepReads } from "./reads-of-overview";
import { SpecificationOverview } from "./specification-overview";

export const metadata = { title: "Overview" };

export default async function OverviewPage() {
  await requireSession();
  const { offer, projects, currentProjectId } = await sessionData();
  const { baseUrl } = environment().gateway;
  const steps = currentProjectId ? Object.values(stepReads(currentProjectId)) : [];
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
        sentence="What is left to spend, what was spent last, and where programs call."
      />
      <Prefetched reads={["retrieveBalance", latestEntries, listedModels, ...steps]}>
        <Overview projectId={currentProjectId} hasNoProject={projects?.length === 0} baseUrl={baseUrl} />
      </Prefetched>
    </Page>
  );
}
