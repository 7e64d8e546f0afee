import { Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { EffectSection } from "@/components/roles/effect-section";
import { describePermission, findSection } from "@/components/roles/permission-groups";
import { RefusedThings } from "@/components/roles/refused-things";
import { classNames } from "@/components/ui/class-names";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/states/skeleton";
import { AffectedHolders } from "./affected-holders";
import { compareDraft, type PermissionDraft } from "./compare-draft";
import type { useRolePreview } from "./use-role-preview";

type SavingEffectProps = {
  draft: PermissionDraft;
  /** Undefined for a new role, and for people who may not see who holds roles. */
  preview: ReturnType<typeof useRolePreview> | undefined;
  isNew: boolean;
};

/** What saving changes: what is gained and lost, by whom, and what of the last days would have been refused. */
export function SavingEffect({ draft, preview, isNew }: SavingEffectProps) {
  const { gained, lost } = compareDraft(draft);
  if (gained.length + lost.length === 0)
    return (
      <p className="mt-3 text-muted">
        {isNew
          ? "Nothing is chosen yet. Nobody holds a new role until it is given to them."
          : "No changes yet. Here you will see who gains and loses permissions, and what would have been refused in the last 7 days."}
      </p>
    );
  return (
    <div className="grid gap-4">
      {preview?.data?.refusal && (
        <div className="mt-3">
          <Notice tone="bad" title="Saving would be refused">
            {preview.data.refusal.message}
          </Notice>
        </div>
      )}
      <Changes word="Gained" names={gained} icon={<Plus aria-hidden className="size-4 text-success" />} />
      <Changes word="Lost" names={lost} icon={<Minus aria-hidden className="size-4 text-danger" />} />
      {isNew && <p className="text-muted">Nobody holds it yet: saving changes nothing for anybody.</p>}
      {preview && draft.chosen.length > 0 && <Consequences preview={preview} />}
    </div>
  );
}

function Consequences({ preview }: { preview: ReturnType<typeof useRolePreview> }) {
  const { data, error, isOld } = preview;
  return (
    <div role="status" aria-busy={isOld} className={classNames("grid gap-4", isOld && data && "opacity-60")}>
      {data && (
        <>
          <AffectedHolders preview={data} />
          <RefusedThings refused={data.refused} />
        </>
      )}
      {!data && error && (
        <Notice tone="near" title="Could not be worked out">
          {error.message}
        </Notice>
      )}
      {!data && !error && <Skeleton className="h-24 w-full" />}
    </div>
  );
}

type ChangesProps = { word: string; names: readonly string[]; icon: ReactNode };

function Changes({ word, names, icon }: ChangesProps) {
  if (names.length === 0) return null;
  return (
    <EffectSection title={word} count={String(names.length)} icon={icon}>
      <ul className="grid gap-0.5 text-sm">
        {names.map((name) => (
          <li key={name} title={name} className="text-pretty">
            {describePermission(name)} <span className="text-muted">{findSection(name)}</span>
          </li>
        ))}
      </ul>
    </EffectSection>
  );
}
