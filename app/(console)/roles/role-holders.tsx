import { KeyRound, type LucideIcon, User, Users } from "lucide-react";
import { Card } from "@/components/ui/card";
import { Section } from "@/components/ui/section";
import { IdChip } from "@/components/ui/text/id-chip";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import type { RoleHolder } from "@/lib/contract/operations/people/role-holders";
import { useRoleHolders } from "./use-role-holders";

const kinds: Record<RoleHolder["holder"]["type"], { word: string; icon: LucideIcon }> = {
  user: { word: "member", icon: User },
  group: { word: "group", icon: Users },
  admin_key: { word: "admin key", icon: KeyRound },
};

/** The holders of a role. Renders nothing if they can't be read. */
export function RoleHolders({ roleId }: { roleId: string }) {
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
  const { word, icon: Icon } = kinds[type];
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
