import { UserMinus } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { readsShowingRoles } from "@/components/roles/principal";
import { IconButton } from "@/components/ui/icon-button";
import type { GroupUser } from "@/lib/contract/operations/people/group-users";
import type { Group } from "@/lib/contract/operations/people/groups";
import { removeGroupMember } from "./actions";

export function RemoveGroupMember({ group, member }: { group: Group; member: GroupUser }) {
  const router = useRouter();
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Remove ${member.name} from the group`}
          icon={<UserMinus />}
          onClick={ask}
          className="relative z-1"
        />
      )}
      title={`Remove ${member.name} from “${group.name}”?`}
      confirmLabel="Remove from group"
      action={removeGroupMember}
      input={{ groupId: group.id, userId: member.id }}
      refetch={["listGroupUsers", ...readsShowingRoles]}
      done={() => `${member.name} removed from “${group.name}”`}
      // The removed member may be the person, whose roles decide what the shell shows.
      onDone={() => router.refresh()}
    >
      What they hold through the group ends at once. What they hold themselves, or through other groups,
      stays.
    </ConfirmedAction>
  );
}
