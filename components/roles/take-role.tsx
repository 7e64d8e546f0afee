import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import type { AssignedRole } from "@/lib/contract/operations/people/role-assignments";
import { takeRole } from "./assignment-actions";
import { describeScope, type Principal, type RoleScope, readsShowingRoles } from "./principal";

type TakeRoleProps = { principal: Principal; role: AssignedRole; scope: RoleScope };

/** Takes away a directly held role. */
export function TakeRole({ principal: { type, id, name }, role, scope }: TakeRoleProps) {
  const router = useRouter();
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Remove the role ${role.name} ${describeScope(scope)}`}
          icon={<X />}
          onClick={ask}
        />
      )}
      title={`Remove the role ${role.name} from ${name}?`}
      confirmLabel="Remove role"
      action={takeRole}
      input={{ type, id, projectId: scope?.id ?? null, roleId: role.id, version: role.version }}
      refetch={readsShowingRoles}
      done={() => `${role.name} removed from ${name}`}
      // It may be the person's own role, which decides what the shell shows.
      onDone={() => router.refresh()}
    >
      What it allows {describeScope(scope)} ends at once{type === "group" && ", for everyone in the group"},
      unless another role allows it too.
    </ConfirmedAction>
  );
}
