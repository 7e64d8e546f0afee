"use client";

import { useRouter } from "next/navigation";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { toast } from "@/components/ui/dialog/toast";
import { SelectField } from "@/components/ui/fields/select-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
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
});

export type GiveRoleDialogProps = {
  principal: Principal;
  projects: readonly Project[];
  held: HeldPermissions | null;
  close: () => void;
};

/** Gives a member or a group another role, in the organization or in a project. */
export function GiveRoleDialog({ principal, projects, held, close }: GiveRoleDialogProps) {
  const router = useRouter();
  const scopes = projects.filter((project) => mayAssignIn(held, project));
  const first = mayAssignIn(held, null) ? EVERYWHERE : (scopes[0]?.id ?? EVERYWHERE);
  const form = useNewForm(giveRoleSchema, { scope: first, role_id: "" });
  const chosen = useWatch({ control: form.control, name: "scope" });
  const scope: RoleScope = projects.find(({ id }) => id === chosen) ?? null;
  const organization = useOrganizationRoles();
  const inProject = useRead(...wholeList("listProjectRoles", { project_id: scope?.id }), {
    enabled: scope !== null,
  });
  const roles = scope ? (inProject.data?.data ?? listPredefinedRoles("api.project")) : organization;
  const give = useCreate(giveRole, {
    refetch: readsShowingRoles,
    onSuccess: ({ role }) => {
      toast({ message: `${principal.name} holds ${role.name} ${describeScope(scope)} now` });
      router.refresh();
      close();
    },
    onError: ({ problem }) => showProblem(form, ["role_id"], problem),
  });
  return (
    <FormDialog
      form={form}
      name="give-role"
      what="the role"
      labels={{ scope: "Where it counts", role_id: "Role" }}
      title={`Give ${principal.name} a role`}
      description="It is added to existing roles, and takes effect immediately."
      submit="Give role"
      pending={give.isPending}
      close={close}
      onSubmit={({ role_id: roleId }) => {
        // The selected role belongs to a scope that was selected before.
        if (roles.every(({ id }) => id !== roleId)) form.setError("role_id", { message: "must be chosen" });
        else give.mutate({ type: principal.type, id: principal.id, projectId: scope?.id ?? null, roleId });
      }}
    >
      <SelectField
        control={form.control}
        name="scope"
        label="Where it counts"
        options={[
          ...(mayAssignIn(held, null) ? [{ value: EVERYWHERE, label: "The whole organization" }] : []),
          ...scopes.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        help="A role in the organization counts in every project."
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
    </FormDialog>
  );
}
