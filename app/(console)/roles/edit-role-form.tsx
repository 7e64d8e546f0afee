"use client";

import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { countRefused } from "@/components/roles/refused-things";
import { Form } from "@/components/ui/form/form";
import { lateSchema } from "@/components/ui/form/late-schema";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { useLateEditForm } from "@/components/ui/form/use-late-form";
import { ApiCallSection } from "@/components/ui/text/api-call-section";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { Role, RolePreview } from "@/lib/contract/operations/people/roles";
import { changeRole } from "./actions";
import { compareDraft, type PermissionDraft } from "./editor/compare-draft";
import { EffectPane } from "./editor/effect-pane";
import { usePermissionDraft } from "./editor/permission-draft";
import { PermissionList } from "./editor/permission-list";
import { RoleEditor } from "./editor/role-editor";
import { SavingEffect } from "./editor/saving-effect";
import { StartFrom } from "./editor/start-from";
import { useRolePreview } from "./editor/use-role-preview";
import { RoleFields, roleFieldNames, roleLabels } from "./role-fields";
import { type RoleForm, toRoleForm } from "./role-form";
import { changeRoleSnippets } from "./role-snippets";

const schema = lateSchema<RoleForm>(() => import("./role-form-schema").then((file) => file.roleForm));

type EditRoleFormProps = {
  role: Role;
  baseUrl: string;
  /** True if the person can see who holds roles, and therefore the effect of a change. */
  seesHolders: boolean;
  /** The person's permissions in the organization; null if they aren't known. */
  held: readonly string[] | null;
  /** The head of the page. `drafted` are the permissions as they are typed, if they aren't the saved ones. */
  renderHead: (drafted: readonly string[] | undefined) => ReactNode;
};

export function EditRoleForm({ role, baseUrl, seesHolders, held, renderHead }: EditRoleFormProps) {
  const form = useLateEditForm(schema, toRoleForm(role));
  const { changed, ...saving } = useSaveChanges(form, {
    saved: role,
    action: changeRole,
    refetch: ["listRoles", "explainPermission", "listPermissionHolders"],
    names: roleFieldNames,
    toInput: (change, { version }) => ({ roleId: role.id, change, version }),
    toValues: toRoleForm,
  });
  const typed = useWatch({ control: form.control });
  const shown = (changed.length > 0 ? changed : roleFieldNames).map((name) => [name, typed[name]]);
  const draft = usePermissionDraft({ control: form.control, saved: role.permissions, held });
  const isChanged = changed.includes("permissions");
  const preview = useRolePreview({ ...role, projectId: null }, draft.chosen, seesHolders && isChanged);

  return (
    <>
      {renderHead(isChanged ? draft.chosen : undefined)}
      <Form
        form={form}
        name="role"
        what={`the role “${role.name}”`}
        isEdit
        createForm={{ path: paths.newRole(), name: "new-role", label: "Create a new role from it" }}
        labels={roleLabels}
        onSubmit={saving.save}
      >
        <RoleEditor
          draft={draft}
          pane={
            <EffectPane draft={draft} name={typed.role_name ?? ""} ownId={role.id}>
              <SavingEffect draft={draft} preview={seesHolders ? preview : undefined} isNew={false} />
            </EffectPane>
          }
          footer={
            <>
              <EffectInShort draft={draft} preview={preview.data} />
              <SaveFooter saving={saving} labels={roleLabels} nothing="Empty" />
            </>
          }
        >
          <RoleFields control={form.control} />
          <PermissionList draft={draft} beside={<StartFrom draft={draft} ownId={role.id} />} isSticky />
          <div className="mt-10">
            <ApiCallSection
              label="Role by API"
              snippets={changeRoleSnippets(baseUrl, role.id, Object.fromEntries(shown))}
            />
          </div>
        </RoleEditor>
      </Form>
    </>
  );
}

type EffectInShortProps = { draft: PermissionDraft; preview: RolePreview | undefined };

/** What saving changes in a line, above the buttons of windows too narrow for the pane beside the list. */
function EffectInShort({ draft, preview }: EffectInShortProps) {
  const { gained, lost } = compareDraft(draft);
  if (gained.length + lost.length === 0) return null;
  const affected = preview?.members.filter(({ gains, loses }) => gains.length + loses.length > 0).length;
  const refused = preview && countRefused(preview.refused);
  const parts = [
    `${gained.length} gained, ${lost.length} lost`,
    ...(affected === undefined ? [] : [`${countNouns(affected, "member")} affected`]),
    ...(refused ? [`${formatCount(refused)} would have been refused`] : []),
  ];
  return (
    <button
      type="button"
      onClick={() => document.getElementById("role-effect")?.scrollIntoView({ block: "start" })}
      className="w-full border-t bg-background py-2 text-left text-sm hover:underline xl:hidden"
    >
      {parts.join(" · ")}
    </button>
  );
}
