import { Trash2 } from "lucide-react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import type { Role } from "@/lib/contract/operations/people/roles";
import { deleteProjectRole } from "./role-actions";

export function DeleteProjectRole({ projectId, role }: { projectId: string; role: Role }) {
  const { id, name, version } = role;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton size="small" label={`Delete the role “${name}”`} icon={<Trash2 />} onClick={ask} />
      )}
      title={`Delete the role “${name}”?`}
      confirmLabel="Delete role"
      action={deleteProjectRole}
      input={{ projectId, roleId: id, version }}
      refetch={["listProjectRoles"]}
      done={() => `Role “${name}” deleted`}
    >
      It can no longer be assigned. The gateway refuses to delete it while a member or a group still has it.
      This can’t be undone.
    </ConfirmedAction>
  );
}
