import { UnsupportedState } from "@/components/ui/unsupported-state";
import { environment } from "@/lib/console/environment";
import { knownOf, ObjectPage } from "../../object-page";
import { MemberScreen } from "../member-screen";
import { heldRoleReads, holderReads, oneMemberReads, roleReads } from "../reads-of-members";

export const metadata = { title: "Member" };

export default function MemberPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <ObjectPage
      params={params}
      unsupported={
        <UnsupportedState level={1} operation="show members">
          It has no operation for them. Whoever runs it knows who may use it.
        </UnsupportedState>
      }
    >
      {({ id, session, may }) => {
        const seesRoles = may("api.role_assignments.read");
        return {
          reads: [
            ...oneMemberReads(id),
            ...(may("api.roles.read") ? roleReads : []),
            ...(seesRoles ? [...heldRoleReads(id), ...holderReads] : []),
          ],
          screen: (
            <MemberScreen
              userId={id}
              isOwn={session.me?.user?.id === id}
              {...knownOf(session)}
              consoleOrigin={environment().consoleOrigin}
              seesRoles={seesRoles}
              canWrite={may("api.users.write")}
            />
          ),
        };
      }}
    </ObjectPage>
  );
}
