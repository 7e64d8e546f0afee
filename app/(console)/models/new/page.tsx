import { modelReads } from "@/app/model-choice/model-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { RefusedState } from "@/components/states/refused-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { UnsupportedModels } from "../unsupported-models";
import { NewModelForm } from "./new-model-form";

export const metadata = { title: "Add model" };

export default async function NewModelPage() {
  await requireSession();
  const { support, me } = await signedInPerson();
  if (support === "specification") return <UnsupportedModels />;
  const canWrite = holdsInOrganization(me, "api.models.write");
  return (
    <Page>
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
    </Page>
  );
}
