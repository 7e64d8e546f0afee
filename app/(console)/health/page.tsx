import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { holdsAnywhere, holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { HealthScreen } from "./health-screen";

export const metadata = { title: "Health" };

export default async function HealthPage() {
  await requireSession();
  const { support, me } = await signedInPerson();
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Health" />
        <UnsupportedState operation="see the health of providers" endpoint="GET /organization/health" />
      </Page>
    );
  }
  return (
    <Page>
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
    </Page>
  );
}
