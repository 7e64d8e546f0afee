import { NoAnswer } from "@/components/object-page/no-answer";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { Fact, Facts } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { Page, PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { UnsupportedState } from "@/components/ui/states/unsupported-state";

import { Badge } from "@/components/ui/status";
import { type IdentityLinkOutcome, identityLinkOutcomes } from "@/lib/console/paths";
import { readSignInMethods } from "@/lib/console/sign-in/read-sign-in-methods";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Me } from "@/lib/contract/operations/sign-in/sessions";
import { sessionsRead } from "./account-reads";
import { SessionSection } from "./session-section";
import { SignInSections } from "./sign-in-sections";

export const metadata = { title: "Account" };

type Query = { single_sign_on?: string | string[] };

export default async function AccountPage({ searchParams }: { searchParams: Promise<Query> }) {
  await requireSession();
  const { single_sign_on: outcome } = await searchParams;
  return (
    <Page>
      <Account outcome={identityLinkOutcomes.find((known) => known === outcome) ?? null} />
    </Page>
  );
}

async function Account({ outcome }: { outcome: IdentityLinkOutcome | null }) {
  const { me, listProjects, problem } = await sessionData();
  if (!me && !problem) {
    return (
      <UnsupportedState level={1} operation="know who signs in">
        It accepts your access token, but has no members, passwords or sessions.
      </UnsupportedState>
    );
  }
  const isMember = Boolean(me?.user);
  const methods = isMember ? await readSignInMethods() : null;
  const provider = methods?.ok ? methods.data.single_sign_on?.name : null;
  return (
    <>
      <PageHead
        title="Account"
        sentence={
          isMember
            ? "Who you are here, how you sign in, and where you are signed in."
            : "Who is signed in, and where."
        }
      />
      {me ? (
        <div className="grid gap-10">
          <WhoSection me={me} projects={(await listProjects()) ?? []} />
          {isMember ? (
            <Prefetched reads={["retrieveSignInSettings", sessionsRead]}>
              <SignInSections provider={provider ?? null} outcome={outcome} />
              <SessionSection />
            </Prefetched>
          ) : (
            <Prefetched reads={[sessionsRead]}>
              <SessionSection />
            </Prefetched>
          )}
        </div>
      ) : (
        problem && <NoAnswer to="tell who is signed in" problem={problem} />
      )}
    </>
  );
}

type WhoSectionProps = { me: Me; projects: readonly { id: string; name: string }[] };

/** Who is signed in, and with which permissions. */
function WhoSection({ me, projects }: WhoSectionProps) {
  const { name, user, organization, roles, project_permissions: held } = me;
  return (
    <Section title={user ? "You" : "Admin key"}>
      {!user && (
        <Notice title="This session was opened with an admin key">
          It acts for the key, not for a member, and has no password and no two-factor sign-in. Sign in as a
          member to manage your own.
        </Notice>
      )}
      <Facts isStacked>
        <Fact name="Name">{name}</Fact>
        {user && <Fact name="Email">{user.email}</Fact>}
        <Fact name={`Roles in ${organization.name}`}>
          {roles.length === 0 ? (
            <span className="text-muted">none in the whole organization</span>
          ) : (
            <span className="flex flex-wrap gap-1.5">
              {roles.map((role) => (
                <Badge key={role.id}>{role.name}</Badge>
              ))}
            </span>
          )}
        </Fact>
        {held.length > 0 && (
          <Fact name="In projects">
            <ul className="grid gap-1">
              {held.map(({ project_id, permissions }) => (
                <li key={project_id}>
                  <HeldInProject
                    project={projects.find(({ id }) => id === project_id)?.name ?? project_id}
                    permissions={permissions}
                  />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

function HeldInProject({ project, permissions }: { project: string; permissions: readonly string[] }) {
  const count = `${permissions.length} ${permissions.length === 1 ? "permission" : "permissions"}`;
  return (
    <details>
      <summary className="rounded-sm pointer-coarse:py-3">
        {project} <span className="text-muted">· {count}</span>
      </summary>
      <ul className="mt-1 mb-2 grid max-w-2xl gap-x-6 pl-4 sm:grid-cols-2">
        {permissions.map((permission) => (
          <li key={permission}>
            <code className="font-mono text-sm break-all text-muted">{permission}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
