"use client";

import { Copy, Eye, KeyRound, type LucideIcon, ShieldCheck, Trash2, User, Users } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { rolesRead } from "@/components/roles/member-reads";
import { useOpenRoleView } from "@/components/roles/open-role-view";
import { countRefused } from "@/components/roles/refused-things";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useObjectGone } from "@/components/ui/drafts/object-gone";
import { Form } from "@/components/ui/form/form";
import { lateSchema, useLateEditForm } from "@/components/ui/form/late-schema";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { LinkButton } from "@/components/ui/links/link-button";
import { Page, PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { Badge } from "@/components/ui/status";
import { IdChip } from "@/components/ui/text/id-chip";
import { ApiCallSection } from "@/components/ui/text/snippet-tabs";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { Role, RoleHolder, RolePreview } from "@/lib/contract/operations/people/roles";
import { changeRole, deleteRole } from "./actions";
import { compareDraft, type PermissionDraft } from "./editor/compare-draft";
import { EffectPane } from "./editor/effect-pane";
import { usePermissionDraft } from "./editor/permission-draft";
import { PermissionList } from "./editor/permission-list";
import { SavingEffect } from "./editor/saving-effect";
import { RoleEditor, StartFrom } from "./editor/start-from";
import { useRolePreview } from "./editor/use-role-preview";
import { nameResource } from "./resource-names";
import { RoleFields, roleFieldNames, roleLabels } from "./role-fields";
import { type RoleForm, toRoleForm } from "./role-form";
import { RolePermissions } from "./role-permissions";
import { RoleSkeleton } from "./role-skeletons";
import { changeRoleSnippets } from "./role-snippets";
import { useRoleHolders } from "./use-role-holders";

type RoleScreenProps = {
  roleId: string;
  baseUrl: string;
  canWrite: boolean;
  seesHolders: boolean;
  /** The person's permissions in the organization; null if they aren't known. */
  held: readonly string[] | null;
};

/** The page of a role. Predefined roles are read-only; the organization's own can be changed. */
export function RoleScreen({ roleId, baseUrl, canWrite, seesHolders, held }: RoleScreenProps) {
  const roles = useRead(...rolesRead);
  return (
    <ObjectState
      read={roles}
      object={roles.data?.data.find(({ id }) => id === roleId)}
      to="show the role"
      skeleton={<RoleSkeleton />}
      unknown={<UnknownObject noun="role" id={roleId} icon={ShieldCheck} list={paths.roles()} />}
    >
      {(role) => (
        <Page width={isEditable(role, canWrite) ? "grid" : "wide"}>
          <PageCrumb label={role.name} />
          {!isEditable(role, canWrite) && (
            <RoleHead role={role} canWrite={canWrite} view={<ViewAsRole role={role} />} />
          )}
          <StaleNotice read={roles} />
          {isEditable(role, canWrite) ? (
            <EditRoleForm
              role={role}
              baseUrl={baseUrl}
              seesHolders={seesHolders}
              held={held}
              renderHead={(drafted) => (
                <RoleHead
                  role={role}
                  canWrite={canWrite}
                  view={<ViewAsRole role={role} drafted={drafted} />}
                />
              )}
            />
          ) : (
            <RolePermissions role={role} />
          )}
          <RoleHolders roleId={role.id} />
        </Page>
      )}
    </ObjectState>
  );
}

const isEditable = (role: Role, canWrite: boolean) => canWrite && !role.predefined_role;

type RoleHeadProps = { role: Role; canWrite: boolean; view: ReactNode };

function RoleHead({ role, canWrite, view }: RoleHeadProps) {
  const { isGone } = useObjectGone();
  return (
    <PageHead
      title={<span className="wrap-anywhere">{role.name}</span>}
      beside={
        <>
          {role.predefined_role && <Badge>predefined</Badge>}
          <Badge>{nameResource(role.resource_type).toLowerCase()}</Badge>
          <IdChip id={role.id} what="role id" />
        </>
      }
      sentence={role.description && <span className="wrap-anywhere">{role.description}</span>}
      action={
        <>
          {view}
          {!role.predefined_role && <HistoryLink id={role.id} />}
          {canWrite && !role.predefined_role && <DeleteRole role={role} />}
          {canWrite && !isGone && (
            <LinkButton
              href={paths.newRole({ copy: role.id })}
              variant={role.predefined_role ? "primary" : "secondary"}
            >
              <Copy aria-hidden />
              Copy this role
            </LinkButton>
          )}
        </>
      }
    />
  );
}

type ViewAsRoleProps = {
  role: { readonly id: string; readonly name: string };
  /** The permissions of an unsaved draft. */
  drafted?: readonly string[] | undefined;
};

/** Shows the console as the role sees it, with what is typed and not saved yet. */
function ViewAsRole({ role: { id, name }, drafted }: ViewAsRoleProps) {
  const view = useOpenRoleView();
  return (
    <Button
      pending={view.isPending || view.isSuccess}
      disabled={drafted?.length === 0}
      onClick={() =>
        view.mutate({ roleId: id, roleName: name, ...(drafted && { permissions: [...drafted] }) })
      }
    >
      <Eye aria-hidden />
      View as this role
    </Button>
  );
}

function DeleteRole({ role: { id, name, version } }: { role: Role }) {
  const router = useRouter();
  const { isGone } = useObjectGone();
  return (
    <ConfirmedAction
      renderButton={(ask) =>
        !isGone && (
          <Button onClick={ask}>
            <Trash2 aria-hidden />
            Delete role
          </Button>
        )
      }
      title={`Delete the role “${name}”?`}
      confirmLabel="Delete role"
      action={deleteRole}
      input={{ roleId: id, version }}
      refetch={["listRoles"]}
      done={() => `Role “${name}” deleted`}
      leave={() => router.push(paths.roles())}
    >
      It can no longer be assigned. The gateway refuses to delete it while a key still has it. This can’t be
      undone.
    </ConfirmedAction>
  );
}

const holderKinds: Record<RoleHolder["holder"]["type"], { word: string; icon: LucideIcon }> = {
  user: { word: "member", icon: User },
  group: { word: "group", icon: Users },
  admin_key: { word: "admin key", icon: KeyRound },
};

/** The holders of a role. Renders nothing if they can't be read. */
function RoleHolders({ roleId }: { roleId: string }) {
  const { data } = useRoleHolders();
  if (!data) return null;
  const holders = data.data.filter(({ role_id }) => role_id === roleId);
  return (
    <div className="mt-10 max-w-[720px]">
      <Section title="Held by" description={describeCount(holders.length, data.has_more)}>
        {holders.length > 0 && (
          <Card flush>
            <ul aria-label="Holders of this role">
              {holders.map((one) => (
                <HolderRow key={one.id} {...one} />
              ))}
            </ul>
          </Card>
        )}
      </Section>
    </div>
  );
}

function HolderRow({ holder: { type, id, name }, project_id }: RoleHolder) {
  const { word, icon: Icon } = holderKinds[type];
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-1.5 last:border-b-0">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-40 flex-1 wrap-anywhere">
        {name} <span className="text-muted">{word}</span>
        {project_id && (
          <span className="text-muted">
            , in <code className="font-mono text-xs">{project_id}</code>
          </span>
        )}
      </span>
      <IdChip id={id} what={`id of ${name}`} />
    </li>
  );
}

function describeCount(count: number, hasMore: boolean): string {
  if (hasMore) return `At least ${formatCount(count)}: the others are in the API, page by page.`;
  if (count === 0) return "No one has this role.";
  return `${countNouns(count, "holder")}, by assignments of their own. A group’s role counts for everyone in it.`;
}

const roleSchema = lateSchema<RoleForm>(() => import("./role-form-schema").then((file) => file.roleForm));

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

function EditRoleForm({ role, baseUrl, seesHolders, held, renderHead }: EditRoleFormProps) {
  const form = useLateEditForm(roleSchema, toRoleForm(role));
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
