import { NoAnswer } from "@/components/object-page/no-answer";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/states/unsupported-state";
import { type IdentityLinkOutcome, identityLinkOutcomes } from "@/lib/console/paths";
import { readSignInMethods } from "@/lib/console/sign-in/read-sign-in-methods";
import { requireSession } from "@/lib/console/sign-in/session";
import { sessionsRead } from "./account-reads";
import { SessionSection } from "./session-section";
import { SignInSections } from "./sign-in-sections";
import { WhoSection } from "./who-section";

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
