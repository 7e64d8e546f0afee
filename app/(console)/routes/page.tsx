import { modelReads } from "@/components/models/model-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { PageHead } from "@/components/ui/page";
import { RouteList } from "./route-list";

export const metadata = { title: "Routes" };

export default function RoutesPage() {
  return (
    <OrganizationPage title="Routes" to="see the routes of models" endpoint="GET /organization/models">
      {() => (
        <>
          <PageHead
            title="Routes"
            sentence="Which provider answers a model’s calls, and where they go when it fails."
          />
          <Prefetched reads={[modelReads.models, "retrieveHealth"]}>
            <RouteList />
          </Prefetched>
        </>
      )}
    </OrganizationPage>
  );
}
