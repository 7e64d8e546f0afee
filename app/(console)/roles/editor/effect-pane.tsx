"use client";

import { type ReactNode, useState } from "react";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { classNames } from "@/components/ui/class-names";
import { CompareRoles } from "./compare-roles";
import type { PermissionDraft } from "./permission-draft";

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
