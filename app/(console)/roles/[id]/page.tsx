import { ObjectPage, type ObjectPageProps } from "@/components/object-page/object-page";
import { holdersRead, rolesRead } from "@/components/roles/member-reads";
import { environment } from "@/lib/console/environment";
import { isKnownToHold } from "@/lib/console/permissions-in";
import { RoleScreen } from "../role-screen";

export const metadata = { title: "Role" };

export default function RolePage({ params }: Pick<ObjectPageProps, "params">) {
  return (
    <ObjectPage
      params={params}
      unsupported={{
        to: "show roles",
        instead: "It only creates them. What it replied is shown where the role was created.",
      }}
    >
      {({ id: roleId, session: { me }, may }) => {
        const seesHolders = isKnownToHold(me, "api.role_assignments.read");
        return {
          reads: seesHolders ? [rolesRead, holdersRead] : [rolesRead],
          screen: (
            <RoleScreen
              roleId={roleId}
              baseUrl={environment().gateway.baseUrl}
              seesHolders={seesHolders}
              held={me?.permissions ?? null}
              canWrite={may("api.roles.write")}
            />
          ),
        };
      }}
    </ObjectPage>
  );
}
