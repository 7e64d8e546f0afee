"use client";

import { useRouter } from "next/navigation";
import { type Control, useWatch } from "react-hook-form";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { groupPermissions } from "@/components/roles/permission-groups";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { Form } from "@/components/ui/form/form";
import { FormFooter } from "@/components/ui/form/form-footer";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { LinkButton } from "@/components/ui/links/link-button";
import { Status } from "@/components/ui/status";
import { ApiCallSection } from "@/components/ui/text/api-call-section";
import { paths } from "@/lib/console/paths";
import { permissions } from "@/lib/contract/access/permissions";
import type { Role } from "@/lib/contract/operations/people/roles";
import { createRole } from "./actions";
import { RoleFields, roleFieldNames, roleLabels } from "./role-fields";
import { collectPermissions, type RoleForm, roleForm } from "./role-form-schema";
import { RoleReply } from "./role-reply";
import { createRoleSnippets } from "./role-snippets";

type NewRoleFormProps = {
  baseUrl: string;
  /** True if the gateway can't list roles: only its reply is shown, and it may have other permissions. */
  onlyCreates: boolean;
  /** A role to copy the initial values from. */
  original?: Role | undefined;
};

export function NewRoleForm({ baseUrl, onlyCreates, original }: NewRoleFormProps) {
  const router = useRouter();
  const form = useNewForm(roleForm, toCopiedForm(original));
  const create = useCreate(createRole, {
    refetch: ["listRoles"],
    onSuccess: (role) => {
      form.reset(toCopiedForm(undefined));
      if (onlyCreates) return;
      toast({ message: `Role “${role.name}” created` });
      router.push(paths.role(role.id));
    },
    onError: ({ problem }) => showProblem(form, roleFieldNames, problem),
  });
  const send = ({ role_name, description, ...held }: RoleForm) =>
    create.mutate({ role_name, description, permissions: collectPermissions(held) });

  return (
    <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)]">
      <Form
        form={form}
        name={original ? `copy of ${original.id}` : "new-role"}
        what="the new role"
        labels={roleLabels}
        className="grid gap-5"
        onSubmit={send}
        isFrozen={create.isPending}
      >
        <RoleFields
          control={form.control}
          groups={groupPermissions([...permissions, ...(original?.permissions ?? [])])}
          withOthers={onlyCreates}
        />
        <FormFooter
          status={onlyCreates && create.data && <Status tone="good">Created “{create.data.name}”</Status>}
        >
          {!onlyCreates && (
            <LinkButton variant="ghost" href={paths.roles()}>
              Cancel
            </LinkButton>
          )}
          <Button
            type="submit"
            variant="primary"
            pending={create.isPending || (create.isSuccess && !onlyCreates)}
          >
            Create role
          </Button>
        </FormFooter>
      </Form>
      <div className="grid content-start gap-10 xl:sticky xl:top-20 xl:self-start">
        {onlyCreates && create.data && <RoleReply reply={create.data} />}
        <CreateCall control={form.control} baseUrl={baseUrl} />
      </div>
    </div>
  );
}

function CreateCall({ control, baseUrl }: { control: Control<RoleForm>; baseUrl: string }) {
  const typed = useWatch({ control });
  const held = collectPermissions({
    permissions: typed.permissions ?? [],
    other_permissions: typed.other_permissions ?? "",
  });
  return (
    <ApiCallSection
      label="Role by API"
      snippets={createRoleSnippets(baseUrl, { ...typed, permissions: held })}
    />
  );
}

function toCopiedForm(original: Role | undefined): RoleForm {
  return {
    role_name: original ? `${original.name} copy` : "",
    // That of the original would soon be false.
    description: "",
    permissions: original?.permissions ?? [],
    other_permissions: "",
  };
}
