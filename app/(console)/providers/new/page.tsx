import { OrganizationPage } from "@/components/object-page/object-page";
import { listProjects, signedInPerson } from "@/components/queries/session/session-data";
import { RefusedState } from "@/components/ui/states/refused-state";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { ImportScreen } from "../import/import-screen";

export const metadata = { title: "Add a provider" };

export default function NewProviderPage() {
  return (
    <OrganizationPage
      title="Add a provider"
      to="add providers"
      endpoint="POST /organization/providers"
      isWide
    >
      {async () => {
        const { me } = await signedInPerson();
        if (!me || !holdsInOrganization(me, "api.providers.write"))
          return <RefusedState to="add providers" permissions={["api.providers.write"]} />;
        const projects = (await listProjects()) ?? [];
        return (
          <ImportScreen
            savedId={null}
            currency={me.organization.currency}
            projects={projects.map(({ id, name }) => ({ id, name }))}
          />
        );
      }}
    </OrganizationPage>
  );
}
