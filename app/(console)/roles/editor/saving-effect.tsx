import { KeyRound, Minus, Plus, UserRound, UsersRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { EffectSection } from "@/components/roles/effect-section";
import { describePermission, findSection } from "@/components/roles/permission-groups";
import { RefusedThings } from "@/components/roles/refused-things";
import { classNames } from "@/components/ui/class-names";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/states/skeleton";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { RolePreview } from "@/lib/contract/operations/people/roles";
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

/** Shown before all are asked for. */
const FIRST = 5;

type Effect = Pick<RolePreview["members"][number], "gains" | "loses">;

const isTouched = ({ gains, loses }: Effect) => gains.length + loses.length > 0;

/** The members, groups and keys whom a change of a role affects, by name; and who keeps everything, and why. */
function AffectedHolders({ preview }: { preview: RolePreview }) {
  const { members, groups, admin_keys: keys, adds, removes } = preview;
  const [isWhole, setIsWhole] = useState(false);
  const affected = members.filter(isTouched);
  const direct = affected.filter(({ held_by }) => held_by.some(({ type }) => type === "user"));
  const rows = [
    ...direct.map(({ id, email, ...effect }) => (
      <HolderRow key={id} icon={<UserRound aria-hidden />} effect={effect}>
        <ConsoleLink href={paths.member(id)} className="hover:underline">
          {email}
        </ConsoleLink>
      </HolderRow>
    )),
    ...groups.filter(isTouched).map(({ id, name, members: size, ...effect }) => (
      <HolderRow key={id} icon={<UsersRound aria-hidden />} effect={effect} isPlural>
        <ConsoleLink href={paths.group(id)} className="hover:underline">
          {name}
        </ConsoleLink>{" "}
        <span className="text-muted">group, {countNouns(size, "member")}</span>
      </HolderRow>
    )),
    ...keys.map(({ id, name }) => (
      <HolderRow key={id} icon={<KeyRound aria-hidden />} effect={{ gains: adds, loses: removes }}>
        {name} <span className="text-muted">admin key</span>
      </HolderRow>
    )),
  ];
  const shown = isWhole ? rows : rows.slice(0, FIRST);
  return (
    <EffectSection title="Affected" count={describeCount(affected.length, members.length, keys.length)}>
      <ul>{shown}</ul>
      {rows.length > shown.length && (
        <p className="pl-7.5 text-sm text-muted">
          {formatCount(rows.length - shown.length)} more.{" "}
          <button type="button" onClick={() => setIsWhole(true)} className="text-accent-text hover:underline">
            Show all {formatCount(rows.length)}
          </button>
        </p>
      )}
      <Unaffected preview={preview} hasRows={rows.length > 0} />
    </EffectSection>
  );
}

function describeCount(affected: number, members: number, keys: number): string {
  const ofMembers = `${formatCount(affected)} of ${countNouns(members, "member")}`;
  return keys === 0 ? ofMembers : `${ofMembers}, ${countNouns(keys, "key")}`;
}

type HolderRowProps = { icon: ReactNode; effect: Effect; isPlural?: boolean; children: ReactNode };

function HolderRow({ icon, effect: { gains, loses }, isPlural = false, children }: HolderRowProps) {
  const s = isPlural ? "" : "s";
  const parts = [
    ...(gains.length > 0 ? [`gain${s} ${gains.length}`] : []),
    ...(loses.length > 0 ? [`lose${s} ${loses.length}`] : []),
  ];
  return (
    <li className="grid grid-cols-[1.375rem_minmax(0,1fr)_auto] items-center gap-2 py-0.5 text-sm">
      <span className="grid size-5.5 place-items-center rounded-full bg-default text-muted [&_svg]:size-3">
        {icon}
      </span>
      <span className="truncate">{children}</span>
      <span className="text-xs text-muted">{parts.join(", ")}</span>
    </li>
  );
}

/** Names those for whom nothing changes, by the roles that they have besides. */
function Unaffected({
  preview: { members, admin_keys: keys, groups },
  hasRows,
}: {
  preview: RolePreview;
  hasRows: boolean;
}) {
  if (members.length + keys.length + groups.length === 0)
    return <p className="text-sm text-muted">Nobody holds this role.</p>;
  const kept = members.filter((member) => !isTouched(member));
  if (kept.length === 0)
    return hasRows ? null : <p className="text-sm text-muted">Nobody in its groups yet.</p>;
  const roles = [...new Set(kept.flatMap(({ kept_by }) => kept_by.map(({ name }) => name)))];
  return (
    <p className="pl-7.5 text-xs text-pretty text-muted">
      Not affected: {joinNames(kept.map(({ email }) => email))}, who {kept.length === 1 ? "holds" : "hold"}{" "}
      {joinNames(roles)} too.
    </p>
  );
}

/** Longer lists end with the number of the others. */
const NAMED = 4;

const list = new Intl.ListFormat("en-GB");

/** "Ada", "Ada and Ben", "Ada, Ben and Cleo"; of many the first, and how many more there are. */
function joinNames(names: readonly string[]): string {
  const isLong = names.length > NAMED + 1;
  return list.format(isLong ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names);
}
