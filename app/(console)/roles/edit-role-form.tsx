"use client";

import "@/app/queries/speak-plainly";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { showProblem } from "@/app/queries/show-problem";
import { useAction } from "@/app/queries/use-action";
import { countChanges } from "@/components/form/count-changes";
import { FormErrors } from "@/components/form/form-errors";
import { LeaveGuard } from "@/components/form/leave-guard";
import { SaveBar } from "@/components/form/save-bar";
import { Button } from "@/components/ui/button";
import type { Role } from "@/lib/contract/operations/roles";
import { permissions } from "@/lib/contract/permissions";
import { changeRole } from "./actions";
import { groupPermissions } from "./permission-groups";
import { RoleApiCall } from "./role-api-call";
import { RoleFields, roleFieldNames, roleLabels } from "./role-fields";
import { type RoleForm, roleForm, type SentRole } from "./role-form-schema";
import { changeRoleSnippets } from "./role-snippets";

// What `resetOptions` keep is right for what comes from elsewhere alone.
const afresh = { keepDirtyValues: false };

type EditRoleFormProps = { role: Role; baseUrl: string };

export function EditRoleForm({ role, baseUrl }: EditRoleFormProps) {
  const form = useForm<RoleForm>({
    mode: "onTouched",
    resolver: standardSchemaResolver(roleForm),
    // Follows what others save meanwhile, but never over what is being typed here.
    values: formOf(role),
    resetOptions: { keepDirtyValues: true },
  });
  const saving = useSaving(form, role.id);
  const changes = countChanges(form.formState.dirtyFields);
  const typed = useWatch({ control: form.control });
  const changed = changedNames(form);
  const change = pick(typed as SentRole, changed.length > 0 ? changed : roleFieldNames);

  return (
    <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)]">
      <form noValidate className="grid gap-5" onSubmit={form.handleSubmit(saving.save)}>
        <FormErrors form={form} labels={roleLabels} />
        <RoleFields control={form.control} groups={groupPermissions([...permissions, ...role.permissions])} />
        <SaveBar
          changes={changes}
          pending={saving.pending}
          onDiscard={() => form.reset(undefined, afresh)}
          saved={
            saving.outcome && (
              <>
                {saving.outcome.word}
                {saving.outcome.before && (
                  <Button size="small" variant="ghost" onClick={saving.undo} className="text-foreground">
                    Undo
                  </Button>
                )}
              </>
            )
          }
        />
        <LeaveGuard changes={changes} />
      </form>
      <RoleApiCall snippets={changeRoleSnippets(baseUrl, role.id, change)} />
    </div>
  );
}

/** What the last save did, and how to take it back. */
type Outcome = { word: string; before: Partial<SentRole> | null };

function useSaving(form: UseFormReturn<RoleForm>, roleId: string) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const action = useAction(changeRole, {
    changes: ["listRoles"],
    onError: ({ problem }) => showProblem(form, roleFieldNames, problem),
  });

  function send(change: Partial<SentRole>, done: Outcome) {
    form.clearErrors();
    action.mutate(
      { roleId, change },
      {
        onSuccess: (role) => {
          form.reset(formOf(role), afresh);
          setOutcome(done);
        },
      },
    );
  }
  return {
    pending: action.isPending,
    outcome,
    save(values: RoleForm) {
      const changed = changedNames(form);
      if (changed.length === 0) return;
      const before = pick(form.formState.defaultValues as SentRole, changed);
      const word = changed.length === 1 ? "Saved 1 change" : `Saved ${changed.length} changes`;
      send(pick(values, changed), { word, before });
    },
    undo() {
      if (outcome?.before) send(outcome.before, { word: "Undone", before: null });
    },
  };
}

function changedNames(form: UseFormReturn<RoleForm>): (keyof SentRole)[] {
  return roleFieldNames.filter((name) => countChanges({ field: form.formState.dirtyFields[name] }) > 0);
}

function pick(role: SentRole, names: readonly (keyof SentRole)[]): Partial<SentRole> {
  return Object.fromEntries(names.map((name) => [name, role[name]]));
}

function formOf({ name, description, permissions: held }: Role): RoleForm {
  return { role_name: name, description: description ?? "", permissions: held, other_permissions: "" };
}
