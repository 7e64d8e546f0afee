import { UserMinus } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import type { ProjectUser } from "@/lib/contract/operations/projects/project-users";
import type { ProjectPartProps } from "../project-part-props";
import { removeProjectMember } from "./member-actions";

type RemoveProjectMemberProps = Pick<ProjectPartProps, "project" | "ownId"> & {
  member: ProjectUser;
  /** Names of the roles. */
  rolesLost: string;
};

export function RemoveProjectMember({ member, rolesLost, project, ownId }: RemoveProjectMemberProps) {
  const router = useRouter();
  const { id, name, version } = member;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Remove ${name} from the project`}
          icon={<UserMinus />}
          onClick={ask}
        />
      )}
      title={`Remove ${name} from ${project.name}?`}
      confirmLabel="Remove from project"
      action={removeProjectMember}
      input={{ projectId: project.id, userId: id, version }}
      refetch={["listProjectUsers", "listProjectUserRoles"]}
      done={() => `${name} removed from ${project.name}`}
      // The person's own roles decide what the shell shows.
      onDone={() => id === ownId && router.refresh()}
    >
      They lose their roles here immediately: {rolesLost}. Roles in the organization or through groups stay,
      and count here too.
    </ConfirmedAction>
  );
}
