import { modelReads } from "@/components/models/model-reads";
import { OrganizationPage } from "@/components/object-page/organization-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { PageHead } from "@/components/ui/page-head";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { RouteList } from "./route-list";

export const metadata = { title: "Routes" };

export default function RoutesPage() {
  return (
    <OrganizationPage title="Routes" to="see the routes of models" endpoint="GET /organization/models">
      {async () => {
        const { me } = await signedInPerson();
        const seesHealth = holdsInOrganization(me, "api.providers.read");
        return (
          <>
            <PageHead
              title="Routes"
              sentence="Which provider answers a model’s calls, and where they go when it fails."
            />
            <Prefetched reads={[modelReads.models, ...(seesHealth ? (["retrieveHealth"] as const) : [])]}>
              <RouteList seesHealth={seesHealth} />
            </Prefetched>
          </>
        );
      }}
    </OrganizationPage>
  );
}
