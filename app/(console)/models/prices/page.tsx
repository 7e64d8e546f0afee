import { OrganizationPage } from "@/components/object-page/object-page";
import { signedInPerson } from "@/components/queries/session/session-data";
import { RefusedState } from "@/components/ui/states/refused-state";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { unsupportedModels } from "../unsupported-models";
import { PriceCheckScreen } from "./price-check-screen";

export const metadata = { title: "Check for new prices" };

export default function PriceCheckPage() {
  return (
    <OrganizationPage {...unsupportedModels}>
      {async () => {
        const { me } = await signedInPerson();
        return me && holdsInOrganization(me, "api.models.write") ? (
          <PriceCheckScreen currency={me.organization.currency} />
        ) : (
          <RefusedState to="change prices" permissions={["api.models.write"]} />
        );
      }}
    </OrganizationPage>
  );
}
