import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { PageHead } from "@/components/ui/page";
import { holdsAnywhere, holdsInOrganization } from "@/lib/console/permissions-in";
import { HealthScreen } from "./health-screen";

export const metadata = { title: "Health" };

export default function HealthPage() {
  return (
    <OrganizationPage title="Health" to="see the health of providers" endpoint="GET /organization/health">
      {async () => {
        const { me } = await signedInPerson();
        return (
          <>
            <PageHead
              title="Health"
              sentence="How models and providers have answered in the last 24 hours, and what failed last."
            />
            <Prefetched reads={["retrieveHealth"]}>
              <HealthScreen
                rights={{
                  change: holdsInOrganization(me, "api.providers.write"),
                  readModels: holdsInOrganization(me, "api.models.read"),
                  try: holdsAnywhere(me, "api.playground.write"),
                }}
              />
            </Prefetched>
          </>
        );
      }}
    </OrganizationPage>
  );
}
