"use client";

import { type ReactNode, useState } from "react";
import { EffectSection } from "@/components/roles/effect-section";
import { describePermission, findSection } from "@/components/roles/permission-groups";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { classNames } from "@/components/ui/class-names";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import type { PermissionDraft } from "./compare-draft";

type EffectPaneProps = {
  draft: Pick<PermissionDraft, "chosen">;
  /** The role's name as it is typed. */
  name: string;
  /** The id of a saved role. */
  ownId: string | null;
  /** What saving changes. */
  children: ReactNode;
};

/** The pane beside the list: what saving changes, or the role beside another one. */
export function EffectPane({ draft, name, ownId, children }: EffectPaneProps) {
  const [otherId, setOtherId] = useState("");
  const [shows, setShows] = useState<"saving" | "comparison">("saving");
  const other = useOrganizationRoles().find(({ id }) => id === otherId);
  const views = [
    { id: "saving", label: "What saving changes" },
    { id: "comparison", label: other ? `Compare with ${other.name}` : "Compare with…" },
  ] as const;
  return (
    <aside id="role-effect" aria-label="What the role changes">
      <div className="inline-flex max-w-full overflow-hidden rounded-md border text-sm">
        {views.map(({ id, label }, index) => (
          <button
            key={id}
            type="button"
            aria-pressed={shows === id}
            onClick={() => setShows(id)}
            className={classNames(
              "truncate px-2.5 py-1 focus-visible:-outline-offset-2 pointer-coarse:py-3",
              index > 0 && "border-l",
              shows === id ? "bg-default font-semibold" : "text-muted hover:bg-default-soft",
            )}
          >
            {label}
          </button>
        ))}
      </div>
      {shows === "saving" ? (
        children
      ) : (
        <CompareRoles draft={draft} name={name} ownId={ownId} otherId={otherId} chooseOther={setOtherId} />
      )}
    </aside>
  );
}

type CompareRolesProps = {
  draft: Pick<PermissionDraft, "chosen">;
  name: string;
  ownId: string | null;
  otherId: string;
  chooseOther: (id: string) => void;
};

/** The role as it is typed beside another one: what only this one allows, and what only the other. */
function CompareRoles({ draft: { chosen }, name, ownId, otherId, chooseOther }: CompareRolesProps) {
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
