import { UnsupportedPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { holdersRead, rolesRead } from "@/components/roles/member-reads";
import { Page } from "@/components/ui/page";
import { isKnownToHold } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { MatrixScreen } from "./matrix-screen";

export const metadata = { title: "Compare roles" };

export default async function CompareRolesPage() {
  await requireSession();
  const { support, me } = await signedInPerson();
  if (support === "specification") return <UnsupportedPage title="Compare roles" to="compare roles" />;
  const seesHolders = isKnownToHold(me, "api.role_assignments.read");
  return (
    <Page width="grid">
      <Prefetched reads={seesHolders ? [rolesRead, holdersRead] : [rolesRead]}>
        <MatrixScreen />
      </Prefetched>
    </Page>
  );
}
