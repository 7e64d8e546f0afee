import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/app/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import type { AssignedRole } from "@/lib/contract/operations/role-assignments";
import { describePlace, type Principal, type RoleScope, readsShowingRoles } from "./principal";
import { takeRole } from "./role-actions";

type TakeRoleProps = { principal: Principal; role: AssignedRole; place: RoleScope };

/** Takes away a directly held role. */
export function TakeRole({ principal: { type, id, name }, role, place }: TakeRoleProps) {
  const router = useRouter();
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Take away the role ${role.name} ${describePlace(place)}`}
          icon={<X />}
          onClick={ask}
        />
      )}
      title={`Take the role ${role.name} from ${name}?`}
      confirmLabel="Take role away"
      action={takeRole}
      input={{ type, id, projectId: place?.id ?? null, roleId: role.id, version: role.version }}
      refetch={readsShowingRoles}
      done={() => `${role.name} taken from ${name}`}
      // It may be the person's own role, which decides what the shell shows.
      onDone={() => router.refresh()}
    >
      What it allows {describePlace(place)} ends at once{type === "group" && ", for everyone in the group"},
      unless another role allows it too.
    </ConfirmedAction>
  );
}
