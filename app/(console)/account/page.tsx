import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/session";
import { NoAnswer } from "../no-answer";
import { sessionData } from "../session-data";
import { memberReads, sessionReads } from "./reads-of-account";
import { SessionSection } from "./session-section";
import { SignInSections } from "./sign-in-sections";
import { WhoSection } from "./who-section";

export const metadata = { title: "Account" };

export default async function AccountPage() {
  await requireSession();
  return (
    <Page>
      <Account />
    </Page>
  );
}

async function Account() {
  const { me, projects, problem } = await sessionData();
  if (!me && !problem) {
    return (
      <UnsupportedState level={1} operation="know who signs in">
        It takes your access token and keeps no members, passwords or sessions.
      </UnsupportedState>
    );
  }
  const isMember = Boolean(me?.user);
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
          <WhoSection me={me} projects={projects ?? []} />
          {isMember ? (
            <Prefetched reads={memberReads}>
              <SignInSections />
              <SessionSection />
            </Prefetched>
          ) : (
            <Prefetched reads={sessionReads}>
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
