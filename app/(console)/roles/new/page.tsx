import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { rolesRead } from "@/components/roles/member-reads";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization, isKnownToHold } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { NewRoleScreen } from "../new-role-screen";

export const metadata = { title: "Create role" };

type NewRolePageProps = { searchParams: Promise<{ copy?: string | string[] }> };

export default async function NewRolePage({ searchParams }: NewRolePageProps) {
  await requireSession();
  const { copy } = await searchParams;
  const copiedRoleId = typeof copy === "string" ? copy : undefined;
  const { support, me } = await signedInPerson();
  return (
    <Prefetched reads={support === "everything" && isKnownToHold(me, "api.roles.read") ? [rolesRead] : []}>
      <NewRoleScreen
        key={copiedRoleId}
        support={support}
        baseUrl={environment().gateway.baseUrl}
        copiedRoleId={copiedRoleId}
        held={me?.permissions ?? null}
        canWrite={holdsInOrganization(me, "api.roles.write")}
      />
    </Prefetched>
  );
}
