import { Plus } from "lucide-react";
import { modelReads } from "@/app/model-choice/model-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { LinkButton } from "@/components/links/link-button";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { ModelList } from "./model-list";
import { ProviderSection } from "./providers/provider-section";
import { UnsupportedModels } from "./unsupported-models";

export const metadata = { title: "Models and rates" };

export default async function ModelsPage() {
  await requireSession();
  const { support, me } = await signedInPerson();
  if (support === "specification") return <UnsupportedModels />;
  const canWrite = holdsInOrganization(me, "api.models.write");
  return (
    <Page>
      <PageHead
        title="Models and rates"
        sentence="A call costs list price × model rate, so a payment is worth payment ÷ model rate. Set both here."
        action={
          canWrite && (
            <LinkButton variant="primary" href={paths.newModel()}>
              <Plus aria-hidden />
              Add model
            </LinkButton>
          )
        }
      />
      <Prefetched reads={Object.values(modelReads)}>
        <ModelList canWrite={canWrite} />
        <div className="mt-10">
          <ProviderSection canWrite={holdsInOrganization(me, "api.providers.write")} />
        </div>
      </Prefetched>
    </Page>
  );
}
