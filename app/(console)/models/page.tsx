import { Plus } from "lucide-react";
import { modelReads } from "@/components/models/model-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { LinkButton } from "@/components/ui/links/link-button";
import { PageHead } from "@/components/ui/page";
import { paths } from "@/lib/console/paths";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { ModelList } from "./model-list";
import { unsupportedModels } from "./unsupported-models";

export const metadata = { title: "Models" };

export default function ModelsPage() {
  return (
    <OrganizationPage {...unsupportedModels}>
      {async () => {
        const { me } = await signedInPerson();
        const canWrite = holdsInOrganization(me, "api.models.write");
        return (
          <>
            <PageHead
              title="Models and rates"
              sentence="A call costs list price × model rate, so a payment is worth payment ÷ model rate. Set both here."
              action={
                canWrite && (
                  <>
                    <LinkButton href={paths.checkPrices()}>Check for new prices</LinkButton>
                    <LinkButton variant="primary" href={paths.newModel()}>
                      <Plus aria-hidden />
                      Add model
                    </LinkButton>
                  </>
                )
              }
            />
            <Prefetched reads={Object.values(modelReads)}>
              <ModelList canWrite={canWrite} />
            </Prefetched>
          </>
        );
      }}
    </OrganizationPage>
  );
}
