import { OrganizationPage } from "@/components/object-page/object-page";
import { listProjects, signedInPerson } from "@/components/queries/session/session-data";
import { RefusedState } from "@/components/ui/states/refused-state";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { decodeSegment } from "@/lib/contract/path-segment";
import { ImportScreen } from "../import/import-screen";

export const metadata = { title: "Import models" };

export default async function ProviderModelsPage({ params }: { params: Promise<{ id: string }> }) {
  const { id: segment } = await params;
  const id = decodeSegment(segment) ?? segment;
  return (
    <OrganizationPage
      title="Import models"
      to="import models"
      endpoint="POST /organization/model_imports"
      isWide
    >
      {async () => {
        const { me } = await signedInPerson();
        const needed = (["api.providers.write", "api.models.write"] as const).filter(
          (permission) => !holdsInOrganization(me, permission),
        );
        if (!me || needed.length > 0) return <RefusedState to="import models" permissions={needed} />;
        const projects = (await listProjects()) ?? [];
        return (
          <ImportScreen
            savedId={id}
            currency={me.organization.currency}
            projects={projects.map(({ id: project, name }) => ({ id: project, name }))}
          />
        );
      }}
    </OrganizationPage>
  );
}
