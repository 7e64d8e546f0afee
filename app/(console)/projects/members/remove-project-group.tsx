import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import type { ProjectGroup } from "@/lib/contract/operations/projects/project-groups";
import type { Project } from "@/lib/contract/operations/projects/projects";
import { removeProjectGroup } from "./member-actions";

type RemoveProjectGroupProps = {
  project: Project;
  group: ProjectGroup;
  /** Names of the roles. */
  rolesLost: string;
};

export function RemoveProjectGroup({ project, group, rolesLost }: RemoveProjectGroupProps) {
  const router = useRouter();
  const { group_id: groupId, group_name: name, version } = group;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Remove the group “${name}” from the project`}
          icon={<X />}
          onClick={ask}
          className="relative z-1"
        />
      )}
      title={`Remove the group “${name}” from ${project.name}?`}
      confirmLabel="Remove from project"
      action={removeProjectGroup}
      input={{ projectId: project.id, groupId, version }}
      refetch={["listProjectGroups", "listProjectUserRoles", "listRoleHolders"]}
      done={() => `Group “${name}” removed from ${project.name}`}
      // The person may be in the group, whose roles decide what the shell shows.
      onDone={() => router.refresh()}
    >
      Its members lose the roles that they have here through it: {rolesLost}. The group itself stays, with
      what it holds elsewhere.
    </ConfirmedAction>
  );
}
