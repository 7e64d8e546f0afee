"use client";

import { UserX } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useState } from "react";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { findLackedPermission, findOrganizationRole } from "@/components/roles/give-roles";
import { memberReads } from "@/components/roles/member-reads";
import type { Project } from "@/components/roles/principal";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";
import { LinkButton } from "@/components/ui/links/link-button";
import { Notice } from "@/components/ui/notice";
import { Page, PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { Badge } from "@/components/ui/status";
import { IdChip } from "@/components/ui/text/id-chip";
import { ShownOnce } from "@/components/ui/text/shown-once";
import { formatExactTime } from "@/components/ui/time/describe-time";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { describeDevice } from "@/components/ui/values/describe-device";
import { paths } from "@/lib/console/paths";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { User } from "@/lib/contract/operations/people/users";
import type { OpenSession } from "@/lib/contract/operations/sign-in/sessions";
import {
  endMemberSession,
  makePasswordLink,
  removeMember,
  turnOffMemberTwoFactor,
  unlinkMemberSingleSignOn,
} from "./actions";
import { MemberSkeleton } from "./member-skeletons";
import { ExplainPermission } from "./roles/explain-permission";
import { MemberRoles, useHeldRoles } from "./roles/member-roles";

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

type MemberSessionsProps = { member: User; canEnd: boolean };

/** A member's sessions. */
function MemberSessions({ member, canEnd }: MemberSessionsProps) {
  const sessions = useRead(...memberReads(member.id).sessions);
  return (
    <Section
      title="Open sessions"
      description={
        isEmpty(sessions.data)
          ? `${member.name} is not signed in anywhere.`
          : "Where this member is signed in, newest first. Sessions expire on their own."
      }
    >
      <ReadState
        read={sessions}
        to="list the open sessions"
        skeleton={<TableSkeleton rows={1} columns={3} />}
        empty={null}
      >
        {({ data }) => (
          <Card flush>
            <ul aria-label="Open sessions">
              {data.map((session) => (
                <SessionRow key={session.id} session={session} member={member} canEnd={canEnd} />
              ))}
            </ul>
          </Card>
        )}
      </ReadState>
    </Section>
  );
}

type SessionRowProps = MemberSessionsProps & { session: OpenSession };

function SessionRow({ session, member, canEnd }: SessionRowProps) {
  const { user_agent: userAgent, current, created_at, last_used_at: usedAt, expires_at } = session;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 wrap-anywhere" title={userAgent ?? undefined}>
          {describeDevice(userAgent)}
          {current && <Badge>this session</Badge>}
        </p>
        <p className="text-sm text-muted">
          Opened <RelativeTime at={created_at} />,{" "}
          {usedAt === null ? (
            "not used since the gateway started"
          ) : (
            <>
              last used <RelativeTime at={usedAt} />
            </>
          )}
          , ends <RelativeTime at={expires_at} />
        </p>
      </div>
      {canEnd && !current && <EndMemberSession session={session} member={member} />}
    </li>
  );
}

function EndMemberSession({ session, member }: { session: OpenSession; member: User }) {
  const device = describeDevice(session.user_agent);
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button size="small" onClick={ask} aria-label={`End the session in ${device}`}>
          End
        </Button>
      )}
      title={`End ${member.name}’s session in ${device}?`}
      confirmLabel="End session"
      action={endMemberSession}
      input={{ userId: member.id, sessionId: session.id }}
      refetch={["listUserSessions"]}
      done={() => `Session of ${member.name} ended`}
    >
      It is refused from the next request on, and unsaved input there is lost. {member.name} can sign in
      again. To prevent that, remove the member.
    </ConfirmedAction>
  );
}

type MemberAdministrationProps = { member: User; isOwn: boolean; consoleOrigin: string | null };

/** Administrative actions for members who can't sign in or who leave. */
function MemberAdministration({ member, isOwn, consoleOrigin }: MemberAdministrationProps) {
  return (
    <Section title="Sign-in and membership">
      <Card flush>
        {isOwn ? (
          <Matter
            title="Password and two-factor sign-in"
            action={<LinkButton href={paths.account()}>Open your account</LinkButton>}
          >
            Your own are yours to change, with your present password.
          </Matter>
        ) : (
          <>
            <Matter
              title="Password forgotten"
              action={<PasswordLink member={member} consoleOrigin={consoleOrigin} />}
            >
              Create a link with which they set a new password, and send it to them yourself.
            </Matter>
            <Matter title="Two-factor app lost" action={<TurnOffMemberTwoFactor member={member} />}>
              For a member who has neither the app nor a backup code.
            </Matter>
            <Matter title="Single sign-on replaced" action={<UnlinkMemberSingleSignOn member={member} />}>
              For a member who has got a new identity at the OpenID provider.
            </Matter>
          </>
        )}
        <Matter title="Leaving the organization" action={<RemoveMember member={member} />}>
          Roles, groups and sessions end immediately. Past usage stays.
        </Matter>
      </Card>
    </Section>
  );
}

function Matter({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b px-3 py-3 last:border-b-0">
      <div className="min-w-0">
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-muted">{children}</p>
      </div>
      {action}
    </div>
  );
}

function TurnOffMemberTwoFactor({ member: { id, name } }: { member: User }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Turn off two-factor</Button>}
      title={`Turn off two-factor sign-in of ${name}?`}
      confirmLabel="Turn off"
      action={turnOffMemberTwoFactor}
      input={{ userId: id }}
      done={() => `Two-factor sign-in of ${name} turned off`}
    >
      The password alone lets them in until they turn it on again. Make sure that it is {name} who asks.
    </ConfirmedAction>
  );
}

function UnlinkMemberSingleSignOn({ member: { id, name } }: { member: User }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Unlink single sign-on</Button>}
      title={`Unlink single sign-on of ${name}?`}
      confirmLabel="Unlink"
      action={unlinkMemberSingleSignOn}
      input={{ userId: id }}
      done={() => `Single sign-on of ${name} unlinked`}
    >
      Whoever signs in next under their verified address at the provider is linked in their place; an Owner
      links themselves under Account. Make sure that it is {name} who asks.
    </ConfirmedAction>
  );
}

function RemoveMember({ member: { id, name, email, version } }: { member: User }) {
  const router = useRouter();
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Remove member</Button>}
      title={`Remove ${name} from the organization?`}
      confirmLabel="Remove member"
      action={removeMember}
      input={{ userId: id, version }}
      refetch={["listUsers"]}
      done={() => `${name} removed`}
      leave={() => router.push(paths.members())}
    >
      {email} is signed out everywhere and can’t sign in any more; their roles and groups end, and links to
      conversations they shared stop working. Keys stay, and their usage stays in the ledger. To return, they
      need a new invitation.
    </ConfirmedAction>
  );
}

type PasswordLinkProps = {
  member: User;
  /** The origin at which people open this console; null means the current one. */
  consoleOrigin: string | null;
};

function PasswordLink({ member: { id, name }, consoleOrigin }: PasswordLinkProps) {
  const [isOpen, setIsOpen] = useState(false);
  const make = useCreate(makePasswordLink);
  function close() {
    setIsOpen(false);
    make.reset();
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Create reset link</Button>
      {make.data ? (
        <ShownOnce
          title={`Password link for ${name}`}
          description="Share it only with them: anyone who opens it can sign in as them. It is shown only once."
          noun="link"
          text={`${consoleOrigin ?? window.location.origin}${paths.newPassword(make.data.token)}`}
          loss="It can’t be shown again; you can create another."
          close={close}
        >
          <p className="text-muted">
            It works once and expires in an hour: {formatExactTime(make.data.expires_at)}.
          </p>
        </ShownOnce>
      ) : (
        <ConfirmDialog
          open={isOpen}
          onClose={close}
          onConfirm={() => make.mutate({ userId: id })}
          title={`Create a link for ${name} to set a new password?`}
          confirmLabel="Create link"
          pending={make.isPending}
          error={make.error?.problem.message}
          danger={false}
        >
          The password stays as it is until the link is used; then all their sessions end. An earlier link
          stops working now.
        </ConfirmDialog>
      )}
    </>
  );
}
