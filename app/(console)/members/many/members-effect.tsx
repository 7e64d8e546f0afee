import { EffectSection } from "@/components/roles/effect-section";
import { describePermission } from "@/components/roles/permission-groups";
import { RefusedThings } from "@/components/roles/refused-things";
import { classNames } from "@/components/ui/class-names";
import { Notice } from "@/components/ui/notice";
import { formatCount } from "@/components/ui/values/group-digits";
import type { UserChangesPreview } from "@/lib/contract/operations/people/user-changes";

type MembersEffectProps = { preview: UserChangesPreview; isOld: boolean };

/** What a change does to each member, and what of the last days it would have refused. */
export function MembersEffect({ preview: { members, refused, refusal }, isOld }: MembersEffectProps) {
  const changed = members.filter((member) => member.is_changed);
  const blamed = members.find(({ id }) => id === refusal?.user_id);
  return (
    <div role="status" aria-busy={isOld} className={classNames("grid gap-3", isOld && "opacity-60")}>
      {refusal && (
        <Notice
          tone="bad"
          title={
            blamed ? `Refused because of ${blamed.name}: nobody is changed` : "Refused: nobody is changed"
          }
        >
          {refusal.message}
        </Notice>
      )}
      <EffectSection
        title="Changed"
        count={`${formatCount(changed.length)} of ${formatCount(members.length)}`}
      >
        <ul className="max-h-48 overflow-y-auto">
          {members.map(({ id, email, is_changed: isChanged, gains, loses }) => (
            <li key={id} className="flex items-baseline justify-between gap-3 py-0.5 text-sm">
              <span className={classNames("truncate", !isChanged && "text-muted")}>{email}</span>
              <span
                className="text-xs whitespace-nowrap text-muted"
                title={[...gains, ...loses].map(describePermission).join("\n")}
              >
                {isChanged ? describeEffect(gains.length, loses.length) : "stays as it is"}
              </span>
            </li>
          ))}
        </ul>
      </EffectSection>
      <RefusedThings refused={refused} />
    </div>
  );
}

function describeEffect(gains: number, loses: number): string {
  if (gains + loses === 0) return "may do the same as before";
  return [...(gains > 0 ? [`gains ${gains}`] : []), ...(loses > 0 ? [`loses ${loses}`] : [])].join(", ");
}
