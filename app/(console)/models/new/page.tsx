import { modelReads } from "@/components/models/model-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { PageHead } from "@/components/ui/page";
import { RefusedState } from "@/components/ui/states/refused-state";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { unsupportedModels } from "../unsupported-models";
import { NewModelForm } from "./new-model-form";

export const metadata = { title: "Add model" };

export default function NewModelPage() {
  return (
    <OrganizationPage {...unsupportedModels}>
      {async () => {
        const { me } = await signedInPerson();
        const canWrite = holdsInOrganization(me, "api.models.write");
        return (
          <>
            <PageHead
              title="Add model"
              sentence="A model that a provider answers. Programs can call it by its id as soon as it is added."
            />
            {canWrite ? (
              <Prefetched reads={Object.values(modelReads)}>
                <NewModelForm baseUrl={environment().gateway.baseUrl} />
              </Prefetched>
            ) : (
              <RefusedState to="add models" permissions={["api.models.write"]} />
            )}
          </>
        );
      }}
    </OrganizationPage>
  );
}
