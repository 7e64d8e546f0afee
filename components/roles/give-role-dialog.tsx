"use client";

import { useRouter } from "next/navigation";
import { type Control, type UseFormReturn, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { toast } from "@/components/ui/dialog/toast";
import { CheckboxGroup } from "@/components/ui/fields/checkbox-group";
import { SelectField } from "@/components/ui/fields/select-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { countNouns } from "@/components/ui/values/group-digits";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import { giveRole } from "./assignment-actions";
import type { Project } from "./principal";
import { describeScope, mayAssignIn, type Principal, type RoleScope, readsShowingRoles } from "./principal";
import { RoleChoice } from "./role-choice";
import { listPredefinedRoles, useOrganizationRoles } from "./use-organization-roles";

/** Stands for the organization in the list of projects. */
const EVERYWHERE = "organization";
const giveRoleSchema = z.strictObject({
  scope: z.string(),
  role_id: z.string().check(z.minLength(1, "must be chosen")),
  also_in: z.array(z.string()),
});

export type GiveRoleDialogProps = {
  principal: Principal;
  projects: readonly Project[];
  held: HeldPermissions | null;
  close: () => void;
};

/** Gives a member or a group another role, in the organization or in a project. */
export function GiveRoleDialog({ principal, projects, held, close }: GiveRoleDialogProps) {
  const scopes = projects.filter((project) => mayAssignIn(held, project));
  const first = mayAssignIn(held, null) ? EVERYWHERE : (scopes[0]?.id ?? EVERYWHERE);
  const form = useNewForm(giveRoleSchema, { scope: first, role_id: "", also_in: [] });
  const [chosen, roleId, alsoIn] = useWatch({
    control: form.control,
    name: ["scope", "role_id", "also_in"],
  });
  const scope: RoleScope = projects.find(({ id }) => id === chosen) ?? null;
  const organization = useOrganizationRoles();
  const inProject = useRead(...wholeList("listProjectRoles", { project_id: scope?.id }), {
    enabled: scope !== null,
  });
  const roles = scope ? (inProject.data?.data ?? listPredefinedRoles("api.project")) : organization;
  // The roles of a project are its own; the predefined ones are the same in all of them.
  const others =
    scope && roles.find(({ id }) => id === roleId)?.predefined_role
      ? scopes.filter(({ id }) => id !== scope.id)
      : [];
  const further = others.map(({ id }) => id).filter((id) => alsoIn.includes(id));
  const give = useGiving({ form, principal, scope, further, close });
  return (
    <FormDialog
      form={form}
      name="give-role"
      what="the role"
      labels={{ scope: "Where it applies", role_id: "Role", also_in: "Also in" }}
      title={`Assign a role to ${principal.name}`}
      description="It is added to existing roles, and takes effect immediately."
      submit="Assign role"
      pending={give.isPending}
      close={close}
      onSubmit={({ role_id }) => {
        const { type, id } = principal;
        // The selected role belongs to a scope that was selected before.
        if (roles.every((role) => role.id !== role_id))
          form.setError("role_id", { message: "must be chosen" });
        else give.mutate({ type, id, projectId: scope?.id ?? null, roleId: role_id, alsoIn: further });
      }}
    >
      <SelectField
        control={form.control}
        name="scope"
        label="Where it applies"
        options={[
          ...(mayAssignIn(held, null) ? [{ value: EVERYWHERE, label: "The whole organization" }] : []),
          ...scopes.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        help="A role in the organization applies in every project."
      />
      <RoleChoice
        control={form.control}
        name="role_id"
        label="Role"
        apiName="role_id"
        roles={roles}
        held={held}
        projectId={scope?.id ?? null}
      />
      {others.length > 0 && <AlsoIn control={form.control} projects={others} />}
    </FormDialog>
  );
}

type GivingOptions = Pick<GiveRoleDialogProps, "principal" | "close"> & {
  form: UseFormReturn<z.output<typeof giveRoleSchema>>;
  scope: RoleScope;
  further: readonly string[];
};

function useGiving({ form, principal, scope, further, close }: GivingOptions) {
  const router = useRouter();
  return useCreate(giveRole, {
    refetch: readsShowingRoles,
    onSuccess: ({ role }) => {
      const where =
        further.length > 0 ? `in ${countNouns(further.length + 1, "project")}` : describeScope(scope);
      toast({ message: `${principal.name} holds ${role.name} ${where} now` });
      router.refresh();
      close();
    },
    onError: ({ problem }) => showProblem(form, ["role_id"], problem),
  });
}

type AlsoInProps = { control: Control<z.output<typeof giveRoleSchema>>; projects: readonly Project[] };

/** Further projects for the same role. */
function AlsoIn({ control, projects }: AlsoInProps) {
  const options = projects.map(({ id, name }) => ({ value: id, sentence: name }));
  return (
    <div className="max-h-72 overflow-y-auto">
      <CheckboxGroup
        control={control}
        name="also_in"
        label="Also in"
        noun="projects"
        groups={[{ heading: "Projects", options }]}
      />
    </div>
  );
}
