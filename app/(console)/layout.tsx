import { headers } from "next/headers";
import type { ReactNode } from "react";
import { signOut } from "@/app/(auth)/sign-out";
import { SessionQueryCache } from "@/components/queries/reads/session-query-cache";
import { selectProject } from "@/components/queries/session/select-project";
import { isSandboxOnly, sessionData } from "@/components/queries/session/session-data";
import { UnreachableNotice } from "@/components/queries/states/unreachable-notice";
import { AppShell } from "@/components/shell/app-shell";
import { NONCE_HEADER } from "@/lib/console/build-security-headers";
import { environment } from "@/lib/console/environment";
import { nameSession, requireSession } from "@/lib/console/sign-in/session";
import { findObjects } from "./find-objects";
import { RunningTasks } from "./running-tasks";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { me, currentProjectId, isEveryProject, heldHere, mayInProject, support, listProjects } =
    await sessionData();
  const sessionName = nameSession(await requireSession());
  // Not awaited: only the badge in the top bar waits for it.
  const sandboxOnly = isSandboxOnly();
  const { baseUrl, isEmbedded } = environment().gateway;
  return (
    <AppShell
      nonce={(await headers()).get(NONCE_HEADER) ?? undefined}
      organizationName={me?.organization.name ?? "Gatehouse"}
      projects={(await listProjects()) ?? undefined}
      currentProjectId={currentProjectId ?? undefined}
      isEveryProject={isEveryProject}
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
      permissions={me && heldHere ? { organization: me.permissions, project: heldHere } : undefined}
      environment={{ kind: isEmbedded ? "embedded" : "remote", address: baseUrl, sandboxOnly }}
      runningTasks={
        support === "everything" && (
          <RunningTasks projectId={currentProjectId} isOwn={!mayInProject("api.tasks.read")} />
        )
      }
      selectProject={selectProject}
      findObjects={findObjects}
      signOut={signOut}
    >
      <SessionQueryCache key={sessionName}>
        <UnreachableNotice />
        {children}
      </SessionQueryCache>
    </AppShell>
  );
}
