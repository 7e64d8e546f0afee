import { countRefused } from "@/components/roles/refused-things";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import type { RolePreview } from "@/lib/contract/operations/people/roles";
import { compareDraft, type PermissionDraft } from "./permission-draft";

type EffectInShortProps = { draft: PermissionDraft; preview: RolePreview | undefined };

/** What saving changes in a line, above the buttons of windows too narrow for the pane beside the list. */
export function EffectInShort({ draft, preview }: EffectInShortProps) {
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
