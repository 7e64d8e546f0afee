import { NoAnswer } from "@/components/object-page/no-answer";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { invitesRead, rolesRead } from "@/components/roles/member-reads";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
import { PageHead } from "@/components/ui/page";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import { memberListRead, readMemberFilter } from "./member-filter";
import { MemberListScreen } from "./member-list-screen";

export const metadata = { title: "Members" };

type MembersPageProps = { searchParams: Promise<PageQuery> };

export default async function MembersPage({ searchParams }: MembersPageProps) {
  const query = await searchParams;
  return (
    <OrganizationPage
      to="list or invite members"
      instead="It has no operation for them. Ask whoever runs it who has access."
    >
      {() => <Members query={query} />}
    </OrganizationPage>
  );
}

async function Members({ query }: { query: PageQuery }) {
  const openedAt = nowSeconds();
  const { me, currentProjectId, listProjects, problem } = await sessionData();
  if (problem) {
    return (
      <>
        <PageHead title="Members" sentence="Who can sign in, and what each of them can do." />
        <NoAnswer to="list the members" problem={problem} />
      </>
    );
  }
  const may = (permission: Permission) => holdsInOrganization(me, permission);
  const seesInvites = may("api.invites.read");
  const projects = await listProjects();
  return (
    <Prefetched
      reads={[
        memberListRead(readMemberFilter(findInQuery(query), openedAt)),
        ...(seesInvites ? [invitesRead] : []),
        ...(may("api.roles.read") ? [rolesRead] : []),
      ]}
    >
      <MemberListScreen
        ownId={me?.user?.id ?? null}
        held={me && { permissions: me.permissions, project_permissions: me.project_permissions }}
        projects={projects ?? []}
        currentProjectId={projects ? currentProjectId : null}
        consoleOrigin={environment().consoleOrigin}
        seesInvites={seesInvites}
        seesGroups={may("api.groups.read")}
        openedAt={openedAt}
        canInvite={may("api.invites.write")}
      />
    </Prefetched>
  );
}
