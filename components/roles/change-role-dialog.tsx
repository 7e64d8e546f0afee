"use client";

import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import type { ActionReply } from "@/lib/console/gateway/problem";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { ReadId } from "@/lib/console/reads/reads";
import type { Role } from "@/lib/contract/operations/people/roles";
import { findOrganizationRole, findProjectRole } from "./give-roles";
import type { Project } from "./principal";
import { RoleChoice } from "./role-choice";

type Holder = { id: string; name: string; role: string | null; version?: string | undefined };
type Change = { userId: string; role: string; version: string | undefined };

export type ChangeRoleDialogProps<Member extends Holder> = {
  member: Member;
  isOwn: boolean;
  held: HeldPermissions | null;
  /** The project of the role; null for the organization. */
  project: Project | null;
  /** The roles to choose from. */
  roles: readonly Role[];
  /** Number of roles the member holds there directly. */
  direct: number;
  action: (change: Change) => Promise<ActionReply<Member>>;
  /** Reads to refetch afterwards. */
  refetch: readonly ReadId[];
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

/** Replaces all roles that a member holds directly in the organization or in a project by another. */
export function ChangeRoleDialog<Member extends Holder>(props: ChangeRoleDialogProps<Member>) {
  const { member, isOwn, held, project, roles, direct, action, formName, close } = props;
  const router = useRouter();
  const findRole = project === null ? findOrganizationRole : findProjectRole;
  const findHeldRole = ({ role }: Holder) => findRole(roles, role ?? "");
  const toValues = (one: Holder) => ({ role: findHeldRole(one)?.id ?? one.role ?? "" });
  const form = useForm({ values: toValues(member), resetOptions: { keepDirtyValues: true } });
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: member,
    action: (change: Change) => showAtRole(action(change)),
    refetch: [...props.refetch, "explainPermission"],
    names: ["role"],
    toInput: ({ role = "" }, { version }) => ({ userId: member.id, role, version }),
    toValues,
    sendsAll: direct > 1,
    onSaved: (saved) => {
      const where = project ? ` in ${project.name}` : "";
      toast({ message: `${saved.name} is ${findHeldRole(saved)?.name ?? saved.role}${where} now` });
      // The person's own roles decide what the shell shows.
      if (isOwn) router.refresh();
      close();
    },
  });
  const where = project ? project.name : "the organization";
  return (
    <FormDialog
      form={form}
      name={formName}
      what={member.name}
      isEdit
      labels={{ role: "the role" }}
      onSubmit={(values) => {
        if (!findRole(roles, values.role)) form.setError("role", { message: "Choose a role." });
        else if (changed.length === 0) close();
        else save(values);
      }}
      title={`Change the role of ${member.name}${project ? ` in ${project.name}` : ""}`}
      description={`It applies at once, also in open sessions. Roles ${project ? "in the organization" : "in projects"} and through groups stay.`}
      submit="Change role"
      pending={pending}
      close={close}
    >
      <RoleChoice
        control={form.control}
        name="role"
        label={`Role in ${where}`}
        apiName="role"
        roles={roles}
        held={held}
        projectId={project?.id ?? null}
        help={direct > 1 && `It takes the place of all ${direct} roles held directly.`}
      />
      {conflict && (
        <ConflictDialog
          {...conflict}
          labels={{ role: `Role of ${member.name}` }}
          nothing="No role"
          choices={{ role: roles.map(({ id, name }) => ({ value: id, label: name })) }}
        />
      )}
    </FormDialog>
  );
}

/** Shows any error at the form's only field. */
async function showAtRole<Member>(saving: Promise<ActionReply<Member>>): Promise<ActionReply<Member>> {
  const reply = await saving;
  return reply.ok ? reply : { ...reply, fields: { role: reply.message } };
}
