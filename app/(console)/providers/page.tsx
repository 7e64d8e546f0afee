import { modelReads } from "@/components/models/model-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { ProviderScreen } from "./provider-screen";

export const metadata = { title: "Providers" };

export default function ProvidersPage() {
  return (
    <OrganizationPage title="Providers" to="list the providers" endpoint="GET /organization/providers">
      {async () => {
        const { me } = await signedInPerson();
        return (
          <Prefetched reads={[modelReads.providers]}>
            <ProviderScreen canWrite={holdsInOrganization(me, "api.providers.write")} />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
