"use client";

import { UserX } from "lucide-react";
import { HistoryLink } from "@/components/object-page/history-link";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { findLackedPermission, findOrganizationRole } from "@/components/roles/give-roles";
import { memberReads } from "@/components/roles/member-reads";
import type { Project } from "@/components/roles/principal";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { paths } from "@/lib/console/paths";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { User } from "@/lib/contract/operations/people/users";
import { MemberAdministration } from "./member-administration";
import { MemberSessions } from "./member-sessions";
import { MemberSkeleton } from "./member-skeleton";
import { ExplainPermission } from "./roles/explain-permission";
import { MemberRoles } from "./roles/member-roles";
import { useHeldRoles } from "./roles/use-held-roles";

type MemberScreenProps = {
  userId: string;
  /** True if this is the signed-in person. */
  isOwn: boolean;
  held: HeldPermissions | null;
  projects: readonly Project[];
  consoleOrigin: string | null;
  seesRoles: boolean;
  canWrite: boolean;
};

/** A member's roles, permissions with their sources, sessions, and administrative actions. */
export function MemberScreen({ userId, ...props }: MemberScreenProps) {
  const member = useRead(...memberReads(userId).member);
  return (
    <ObjectState
      read={member}
      object={member.data}
      to="show the member"
      skeleton={<MemberSkeleton />}
      unknown={<UnknownObject noun="member" id={userId} icon={UserX} list={paths.members()} />}
    >
      {(user) => (
        <Page>
          <PageCrumb label={user.name} />
          <MemberHead member={user} isOwn={props.isOwn} />
          <StaleNotice read={member} />
          <MemberSections member={user} {...props} />
        </Page>
      )}
    </ObjectState>
  );
}

type MemberSectionsProps = Omit<MemberScreenProps, "userId"> & { member: User };

function MemberSections({ member, isOwn, held, projects, consoleOrigin, ...may }: MemberSectionsProps) {
  const roles = useOrganizationRoles();
  const all = useHeldRoles(member.id, { canRead: may.seesRoles }).data?.data;
  const known = all ?? [findOrganizationRole(roles, member.role ?? "")].filter((role) => role !== undefined);
  const [excess = null] = known.flatMap((role) => findLackedPermission(role, held, null) ?? []);
  const canChange = may.canWrite && excess === null;
  return (
    <div className="grid max-w-[720px] gap-10">
      {!canChange && (
        <WhyReadOnly whom={isOwn ? "yourself" : member.name} excess={may.canWrite ? excess : null} />
      )}
      <MemberRoles
        member={member}
        isOwn={isOwn}
        held={held}
        projects={projects}
        seesAll={may.seesRoles}
        canChange={canChange}
      />
      {may.seesRoles && <ExplainPermission member={member} projects={projects} />}
      <MemberSessions member={member} canEnd={canChange} />
      {canChange && <MemberAdministration member={member} isOwn={isOwn} consoleOrigin={consoleOrigin} />}
    </div>
  );
}

function MemberHead({ member, isOwn }: { member: User; isOwn: boolean }) {
  return (
    <PageHead
      title={<span className="wrap-anywhere">{member.name}</span>}
      beside={
        <>
          {isOwn && <Badge>you</Badge>}
          {member.deactivated_at && <Badge>deactivated</Badge>}
          <IdChip id={member.id} what="member id" />
        </>
      }
      sentence={
        <>
          <span className="wrap-anywhere">{member.email}</span>, added <RelativeTime at={member.added_at} />
          {member.is_scim_managed && ", kept by the directory"}
          {member.deactivated_at && (
            <>
              . Deactivated <RelativeTime at={member.deactivated_at} />: roles and groups stay, and nothing
              can be done with them
            </>
          )}
        </>
      }
      action={<HistoryLink id={member.id} />}
    />
  );
}

type WhyReadOnlyProps = {
  /** A name, or "yourself". */
  whom: string;
  /** A permission of the member that the person lacks; null if the person can't change any member. */
  excess: string | null;
};

/** Explains why a member's page is read-only. */
function WhyReadOnly({ whom, excess }: WhyReadOnlyProps) {
  return (
    <Notice title={`You can’t change ${whom}`}>
      {excess ? (
        <>
          They hold <code className="font-mono text-xs text-foreground">{excess}</code>, which you don’t hold.
          Only somebody with at least the same permissions can change them.
        </>
      ) : (
        <>
          You need the permission <code className="font-mono text-xs text-foreground">api.users.write</code>.
          Ask someone with the Owner or Admin role to add it to one of your roles.
        </>
      )}
    </Notice>
  );
}
