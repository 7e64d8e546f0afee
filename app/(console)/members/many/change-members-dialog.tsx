"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { changeMembers, previewMembers } from "@/app/(console)/members/actions";
import { useOptions } from "@/components/filters/use-options";
import { ChangeManyDialog } from "@/components/queries/actions/change-many-dialog";
import { useAction } from "@/components/queries/actions/use-action";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { EffectSection } from "@/components/roles/effect-section";
import { describePermission } from "@/components/roles/permission-groups";
import { type Project, readsShowingRoles } from "@/components/roles/principal";
import { RefusedThings } from "@/components/roles/refused-things";
import { listPredefinedRoles, useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { classNames } from "@/components/ui/class-names";
import { toast } from "@/components/ui/dialog/toast";
import { ChoiceSelect, SearchedSelect } from "@/components/ui/fields/choice-select";
import { Notice } from "@/components/ui/notice";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import type { User, UserChangesPreview } from "@/lib/contract/operations/people/users";
import { type ActionType, actionWords, type Choice, toAction } from "./member-action";

type ChangeMembersDialogProps = {
  type: ActionType;
  members: readonly User[];
  projects: readonly Project[];
  close: () => void;
  /** Called once it is done. */
  done: () => void;
};

/** One change for several members, with what it does to each before it is made. All or none. */
export function ChangeMembersDialog({ type, members, projects, close, done }: ChangeMembersDialogProps) {
  const [choice, setChoice] = useState<Choice>({ type, roleId: "", projectId: "", groupId: "" });
  const action = toAction(choice);
  const ids = members.map(({ id }) => id);
  const preview = useActionQuery({
    queryKey: ["user-changes", action, ids],
    ask: () => previewMembers({ user_ids: ids, action: action ?? { type: "remove" } }),
    enabled: action !== null,
    placeholderData: keepPreviousData,
  });
  const run = useAction(changeMembers, {
    refetch: [...readsShowingRoles, "listGroupUsers"],
    onSuccess: ({ members: changed }) => {
      const count = changed.filter((member) => member.is_changed).length;
      toast({ message: `${countNouns(count, "member")} ${type === "remove" ? "removed" : "changed"}` });
      done();
    },
  });
  const shown = action === null ? undefined : preview.data;
  const changes = shown?.members.filter((member) => member.is_changed).length ?? 0;
  const { label, description } = actionWords[type];
  return (
    <ChangeManyDialog
      label={label}
      count={members.length}
      noun="member"
      description={description}
      verb={type === "remove" ? "Remove" : "Change"}
      isDanger={type === "remove"}
      changes={changes}
      isRefused={Boolean(shown?.refusal)}
      preview={{ isFetching: preview.isFetching, error: action && preview.error }}
      run={run}
      unchanged="Nobody was changed"
      onRun={() => action && run.mutate({ user_ids: ids, action })}
      close={close}
      fields={
        <ActionFields
          choice={choice}
          choose={(change) => setChoice({ ...choice, ...change })}
          projects={projects}
        />
      }
    >
      {shown && <MembersEffect preview={shown} isOld={preview.isFetching} />}
    </ChangeManyDialog>
  );
}

type MembersEffectProps = { preview: UserChangesPreview; isOld: boolean };

/** What a change does to each member, and what of the last days it would have refused. */
function MembersEffect({ preview: { members, refused, refusal }, isOld }: MembersEffectProps) {
  const changed = members.filter((member) => member.is_changed);
  const blamed = members.find(({ id }) => id === refusal?.user_id);
  return (
    <div role="status" aria-busy={isOld} className={classNames("grid gap-3", isOld && "opacity-60")}>
      {refusal && (
        <Notice
          tone="bad"
          title={
            blamed ? `Refused because of ${blamed.name}: nobody is changed` : "Refused: nobody is changed"
          }
        >
          {refusal.message}
        </Notice>
      )}
      <EffectSection
        title="Changed"
        count={`${formatCount(changed.length)} of ${formatCount(members.length)}`}
      >
        <ul className="max-h-48 overflow-y-auto">
          {members.map(({ id, email, is_changed: isChanged, gains, loses }) => (
            <li key={id} className="flex items-baseline justify-between gap-3 py-0.5 text-sm">
              <span className={classNames("truncate", !isChanged && "text-muted")}>{email}</span>
              <span
                className="text-xs whitespace-nowrap text-muted"
                title={[...gains, ...loses].map(describePermission).join("\n")}
              >
                {isChanged ? describeEffect(gains.length, loses.length) : "stays as it is"}
              </span>
            </li>
          ))}
        </ul>
      </EffectSection>
      <RefusedThings refused={refused} />
    </div>
  );
}

function describeEffect(gains: number, loses: number): string {
  if (gains + loses === 0) return "may do the same as before";
  return [...(gains > 0 ? [`gains ${gains}`] : []), ...(loses > 0 ? [`loses ${loses}`] : [])].join(", ");
}

type ActionFieldsProps = {
  choice: Choice;
  choose: (change: Partial<Choice>) => void;
  projects: readonly Project[];
};

/** What an action needs to know: a role, a project or a group. */
function ActionFields({ choice, choose, projects }: ActionFieldsProps) {
  const { type } = choice;
  const organizationRoles = useOrganizationRoles();
  const isInProject = type === "set_project_role" || type === "leave_project";
  const roles = isInProject ? listPredefinedRoles("api.project") : organizationRoles;
  return (
    <div className="grid gap-3">
      {isInProject && (
        <ChoiceSelect
          label="Project"
          value={choice.projectId}
          nothing="Choose a project"
          options={projects.map(({ id, name }) => ({ value: id, label: name }))}
          choose={(projectId) => choose({ projectId })}
        />
      )}
      {(type === "set_role" || type === "set_project_role") && (
        <ChoiceSelect
          label="Role"
          value={choice.roleId}
          nothing="Choose a role"
          options={roles.map(({ id, name }) => ({ value: id, label: name }))}
          choose={(roleId) => choose({ roleId })}
        />
      )}
      {(type === "join_group" || type === "leave_group") && (
        <GroupChoice value={choice.groupId} choose={(groupId) => choose({ groupId })} />
      )}
    </div>
  );
}

function GroupChoice({ value, choose }: { value: string; choose: (id: string) => void }) {
  const { rows, search } = useOptions("listGroups");
  return (
    <SearchedSelect
      label="Group"
      value={value}
      nothing={{ label: "Choose a group", isOption: false }}
      options={rows.map(({ id, name }) => ({ value: id, label: name }))}
      choose={choose}
      search={search}
      className="field h-9 w-full pointer-coarse:h-11"
    />
  );
}
