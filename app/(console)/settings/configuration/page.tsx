import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { environment } from "@/lib/console/environment";
import { isKnownToHold } from "@/lib/console/permissions-in";
import { ConfigurationScreen } from "./configuration-screen";

export const metadata = { title: "Configuration" };

export default function ConfigurationPage() {
  return (
    <OrganizationPage
      title="Configuration"
      to="plan a configuration"
      endpoint="POST /organization/configuration/plan"
      isWide
    >
      {async () => {
        const { me } = await signedInPerson();
        const seesApplied = isKnownToHold(me, "api.audit_logs.read");
        return (
          <Prefetched reads={seesApplied ? [["listConfigurationApplications", { limit: "20" }]] : []}>
            <ConfigurationScreen
              seesLog={seesApplied}
              consoleOrigin={environment().consoleOrigin}
              openedAt={nowSeconds()}
            />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
