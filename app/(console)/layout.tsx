import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { signOut } from "@/app/(auth)/sign-out";
import { AskForAccessScope } from "@/components/access-requests/ask-for-access";
import { SessionQueryCache } from "@/components/queries/reads/session-query-cache";
import {
  findHeldAnywhere,
  isSandboxOnly,
  listProjects,
  signedInPerson,
} from "@/components/queries/session/session-data";
import { UnreachableNotice } from "@/components/queries/states/unreachable-notice";
import { LazyRoleViewBar } from "@/components/roles/lazy-role-view-bar";
import { listViewableRoles } from "@/components/roles/list-viewable-roles";
import { API_NAMES_COOKIE, showsApiNames } from "@/components/shell/api-names";
import { AppShell } from "@/components/shell/app-shell";
import { setOrganizationLook } from "@/components/ui/organization-look";
import { NONCE_HEADER } from "@/lib/console/build-security-headers";
import { environment } from "@/lib/console/environment";
import { readLastProjectId } from "@/lib/console/last-project";
import { currentRoleView } from "@/lib/console/sign-in/role-view";
import { nameSession, requireSession } from "@/lib/console/sign-in/session";
import { findObjects } from "./find-objects";
import { RunningTasks } from "./running-tasks";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { me, support } = await signedInPerson();
  // The entries are the same whichever project is shown.
  const held = me && { organization: me.permissions, project: await findHeldAnywhere(me) };
  const sessionName = nameSession(await requireSession());
  const view = await currentRoleView();
  // Not awaited: only the badge in the top bar waits for it.
  const sandboxOnly = isSandboxOnly();
  const { baseUrl, isEmbedded } = environment().gateway;
  // The gateway of another version doesn't say it.
  const look = {
    timeZone: me?.organization.time_zone ?? null,
    numberFormat: me?.organization.number_format ?? "comma",
  };
  setOrganizationLook(look);
  return (
    <AskForAccessScope isMember={Boolean(me?.user)}>
      <AppShell
        nonce={(await headers()).get(NONCE_HEADER) ?? undefined}
        organizationName={me?.organization.name ?? "Gatehouse"}
        organizationLogo={me?.organization.logo ?? null}
        look={look}
        apiNames={showsApiNames(
          (await cookies()).get(API_NAMES_COOKIE)?.value,
          held ? [...held.organization, ...held.project] : undefined,
        )}
        projects={(await listProjects()) ?? undefined}
        lastProject={(await readLastProjectId()) ?? undefined}
        person={
          me
            ? {
                id: me.user?.id ?? me.name,
                name: me.name,
                note: me.user?.email ?? me.roles.map(({ name }) => name).join(", "),
                hasAccount: true,
              }
            : {
                id: sessionName,
                name: "Signed in",
                note: "The gateway does not say as whom",
                hasAccount: false,
              }
        }
        permissions={held ?? undefined}
        environment={{ kind: isEmbedded ? "embedded" : "remote", address: baseUrl, sandboxOnly }}
        runningTasks={
          support === "everything" && (
            <RunningTasks isOwn={held !== null && !held.project.includes("api.tasks.read")} />
          )
        }
        banner={
          view && (
            <LazyRoleViewBar view={view} roles={await listViewableRoles()} permissions={held ?? undefined} />
          )
        }
        viewName={view ? ` as ${view.header.value}` : undefined}
        findObjects={findObjects}
        signOut={signOut}
      >
        <SessionQueryCache key={sessionName}>
          <UnreachableNotice />
          {children}
        </SessionQueryCache>
      </AppShell>
    </AskForAccessScope>
  );
}
