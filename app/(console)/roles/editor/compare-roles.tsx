"use client";

import { EffectSection } from "@/components/roles/effect-section";
import { describePermission, findSection } from "@/components/roles/permission-groups";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import type { PermissionDraft } from "./permission-draft";

type CompareRolesProps = {
  draft: Pick<PermissionDraft, "chosen">;
  name: string;
  ownId: string | null;
  otherId: string;
  chooseOther: (id: string) => void;
};

/** The role as it is typed beside another one: what only this one allows, and what only the other. */
export function CompareRoles({ draft: { chosen }, name, ownId, otherId, chooseOther }: CompareRolesProps) {
  const roles = useOrganizationRoles().filter(({ id }) => id !== ownId);
  const other = roles.find(({ id }) => id === otherId);
  return (
    <div className="mt-3 grid gap-4">
      <ChoiceSelect
        label="Compare with"
        value={otherId}
        nothing="Choose a role"
        options={roles.map(({ id, name: label }) => ({ value: id, label }))}
        choose={chooseOther}
        className="h-8 w-full"
      />
      {other && (
        <>
          <p className="text-sm text-muted">
            They share {chosen.filter((one) => other.permissions.includes(one)).length} permissions.
          </p>
          <Only
            title={`Only ${name || "this role"}`}
            names={chosen.filter((one) => !other.permissions.includes(one))}
          />
          <Only
            title={`Only ${other.name}`}
            names={other.permissions.filter((one) => !chosen.includes(one))}
          />
        </>
      )}
    </div>
  );
}

function Only({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <EffectSection title={title} count={String(names.length)}>
      {names.length === 0 && <p className="text-sm text-muted">Nothing.</p>}
      <ul className="grid gap-0.5 text-sm">
        {names.map((permission) => (
          <li key={permission} title={permission} className="text-pretty">
            {describePermission(permission)} <span className="text-muted">{findSection(permission)}</span>
          </li>
        ))}
      </ul>
    </EffectSection>
  );
}
