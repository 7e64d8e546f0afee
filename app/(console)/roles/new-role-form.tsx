"use client";

import { useRouter } from "next/navigation";
import { type Control, useWatch } from "react-hook-form";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { TextareaField } from "@/components/ui/fields/text-field";
import { Form, FormFooter } from "@/components/ui/form/form";
import { lateSchema, useLateNewForm } from "@/components/ui/form/late-schema";
import { LinkButton } from "@/components/ui/links/link-button";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import { CodeBlock } from "@/components/ui/text/code-block";
import { ApiCallSection } from "@/components/ui/text/snippet-tabs";
import { paths } from "@/lib/console/paths";
import type { Role } from "@/lib/contract/operations/people/roles";
import { createRole } from "./actions";
import { EffectPane } from "./editor/effect-pane";
import { usePermissionDraft } from "./editor/permission-draft";
import { PermissionList } from "./editor/permission-list";
import { SavingEffect } from "./editor/saving-effect";
import { RoleEditor, StartFrom } from "./editor/start-from";
import { RoleFields, roleFieldNames, roleLabels } from "./role-fields";
import { collectPermissions, type RoleForm } from "./role-form";
import { createRoleSnippets } from "./role-snippets";

const schema = lateSchema<RoleForm>(() => import("./role-form-schema").then((file) => file.roleForm));

type NewRoleFormProps = {
  baseUrl: string;
  /** True if the gateway can't list roles: only its reply is shown, and it may have other permissions. */
  onlyCreates: boolean;
  /** A role to copy the initial values from. */
  original?: Role | undefined;
  /** The person's permissions in the organization; null if they aren't known. */
  held: readonly string[] | null;
};

export function NewRoleForm({ baseUrl, onlyCreates, original, held }: NewRoleFormProps) {
  const router = useRouter();
  const form = useLateNewForm(schema, toCopiedForm(original));
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
  const send = ({ role_name, description, ...chosen }: RoleForm) =>
    create.mutate({ role_name, description, permissions: collectPermissions(chosen) });
  const draft = usePermissionDraft({ control: form.control, saved: [], held });
  const name = useWatch({ control: form.control, name: "role_name" });

  return (
    <Form
      form={form}
      name={original ? `copy of ${original.id}` : "new-role"}
      what="the new role"
      labels={roleLabels}
      onSubmit={send}
      isFrozen={create.isPending}
    >
      <RoleEditor
        draft={draft}
        pane={
          <EffectPane draft={draft} name={name} ownId={null}>
            <SavingEffect draft={draft} preview={undefined} isNew />
          </EffectPane>
        }
        footer={
          <NewRoleFooter
            onlyCreates={onlyCreates}
            created={create.data}
            pending={create.isPending || (create.isSuccess && !onlyCreates)}
          />
        }
      >
        <RoleFields control={form.control} />
        {onlyCreates && <OtherPermissions control={form.control} />}
        <PermissionList
          draft={draft}
          beside={!onlyCreates && <StartFrom draft={draft} ownId={null} />}
          isSticky
        />
        <div className="mt-10 grid gap-10">
          {onlyCreates && create.data && <RoleReply reply={create.data} />}
          <CreateCall control={form.control} baseUrl={baseUrl} />
        </div>
      </RoleEditor>
    </Form>
  );
}

type NewRoleFooterProps = { onlyCreates: boolean; created: Role | undefined; pending: boolean };

function NewRoleFooter({ onlyCreates, created, pending }: NewRoleFooterProps) {
  return (
    <FormFooter status={onlyCreates && created && <Status tone="good">Created “{created.name}”</Status>}>
      {!onlyCreates && (
        <LinkButton variant="ghost" href={paths.roles()}>
          Cancel
        </LinkButton>
      )}
      <Button type="submit" variant="primary" pending={pending}>
        Create role
      </Button>
    </FormFooter>
  );
}

function OtherPermissions({ control }: { control: Control<RoleForm> }) {
  return (
    <div className="pb-4">
      <TextareaField
        control={control}
        name="other_permissions"
        label={roleLabels.other_permissions}
        apiName="permissions"
        placeholder="Such as api.groups.read"
        help="Permissions of this gateway that are not in the list, one per line."
        rows={2}
        optional
      />
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

/** The gateway's reply to a creation: the new role. */
function RoleReply({ reply }: { reply: Role }) {
  return (
    <Section
      title="The gateway’s reply"
      description={
        <>
          Role “{reply.name}” with {reply.permissions.length}{" "}
          {reply.permissions.length === 1 ? "permission" : "permissions"}. Note its id: this gateway can’t
          list roles.
        </>
      }
    >
      <CodeBlock code={JSON.stringify(reply, null, 2)} what="reply" />
    </Section>
  );
}
