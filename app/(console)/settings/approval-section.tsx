"use client";

import { ApprovalCard } from "@/components/money/payments/approval-card";
import { useRead } from "@/components/queries/reads/use-read";
import { holdersRead, rolesRead } from "@/components/roles/member-reads";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { paths } from "@/lib/console/paths";
import type { Role, RoleHolder } from "@/lib/contract/operations/people/roles";

/** More names than these are counted. */
const NAMED = 8;

type ApprovalSectionProps = { canSet: boolean; seesHolders: boolean };

/** Above which amount a payment needs a second person, and who that can be. */
export function ApprovalSection({ canSet, seesHolders }: ApprovalSectionProps) {
  return (
    <Section
      title="Who approves"
      description="Payments and corrections above the approval amount need a second member, and so does raising that amount."
    >
      <div className="grid max-w-[560px] gap-3">
        <ApprovalCard canSet={canSet} />
        {seesHolders && <Approvers />}
      </div>
    </Section>
  );
}

function Approvers() {
  const roles = useRead(...rolesRead).data?.data;
  const holders = useRead(...holdersRead).data?.data;
  if (!roles || !holders) return null;
  const { approving, people } = findApprovers(roles, holders);
  return (
    <p className="text-sm text-muted">
      {people.length === 0
        ? "No member can approve yet: nobody holds a role that allows it. "
        : `Can approve, but never what they recorded themselves: ${listNames(people)}. `}
      {approving.length > 0 && (
        <>
          Allowed by the {approving.length === 1 ? "role" : "roles"}{" "}
          {approving.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <TextLink href={paths.role(id)} className="underline">
                {name}
              </TextLink>
            </span>
          ))}
          .
        </>
      )}
    </p>
  );
}

function listNames(people: readonly Approver[]): string {
  const names = people
    .slice(0, NAMED)
    .map(({ type, name }) => (type === "group" ? `everybody in ${name}` : name));
  const others = people.length - names.length;
  return others > 0 ? `${names.join(", ")} and ${others} more` : names.join(", ");
}

/** A member, or a group whose members can approve. */
type Approver = RoleHolder["holder"];

/** Returns the roles that allow deciding payments, and who holds one in the organization, each once. */
export function findApprovers(
  roles: readonly Pick<Role, "id" | "name" | "permissions">[],
  holders: readonly Pick<RoleHolder, "role_id" | "holder" | "project_id">[],
) {
  const approving = roles.filter(({ permissions }) => permissions.includes("api.payments.write"));
  const ids = new Set(approving.map(({ id }) => id));
  // A key belongs to no member, and approves nothing.
  const found = holders.filter(
    ({ role_id, holder, project_id }) =>
      ids.has(role_id) && holder.type !== "admin_key" && project_id === null,
  );
  const people = [...new Map(found.map(({ holder }) => [holder.id, holder])).values()];
  return { approving, people };
}
