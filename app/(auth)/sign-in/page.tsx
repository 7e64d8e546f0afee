import type { Metadata } from "next";
import { Suspense } from "react";
import { safeNext } from "@/lib/console/paths";
import { readGateway } from "@/lib/console/reads/read-gateway";
import { readSignInMethods } from "@/lib/console/sign-in/read-sign-in-methods";
import { currentSession } from "@/lib/console/sign-in/session";
import { SignedOutScreen } from "../signed-out-screen";
import { GatewayStatus } from "./gateway-status";
import { LinkSignIn } from "./link-sign-in";
import { ReasonNotice } from "./reason-notice";
import { SignInForms } from "./sign-in-forms";
import { SignedInAlready } from "./signed-in-already";

export const metadata: Metadata = { title: "Sign in" };

type Query = Partial<Record<"next" | "reason" | "with", string | string[]>>;

export default async function SignInPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { next: asked, reason: given, with: way } = await searchParams;
  const next = safeNext(typeof asked === "string" ? asked : null);
  const standing = given === "password-set" ? "ended" : await findSessionState(given === "ended");
  const reason = standing === "ended" && !given ? "ended" : given;

  return (
    <SignedOutScreen title="Sign in" sentence="The console of your organization’s model gateway.">
      {standing === "signed in" ? (
        <SignedInAlready next={next} />
      ) : (
        <>
          <ReasonNotice reason={reason} isElsewhere={next !== safeNext(null)} />
          <LinkSignIn next={next} />
          <Forms next={next} isKeyAsked={way === "key"} />
        </>
      )}
      <Suspense fallback={<p className="border-t pt-4 text-sm text-muted">Looking for the gateway…</p>}>
        <GatewayStatus next={next} />
      </Suspense>
    </SignedOutScreen>
  );
}

/** If the gateway doesn't report its sign-in methods, it may still accept a key. */
async function Forms({ next, isKeyAsked }: { next: string; isKeyAsked: boolean }) {
  const methods = await readSignInMethods();
  return <SignInForms methods={methods.ok ? methods.data : null} next={next} isKeyAsked={isKeyAsked} />;
}

/**
 * A cookie isn't enough: the gateway may have ended its session.
 * @param mayHaveEnded whether the address says that it has, which an old or foreign link says, too.
 */
async function findSessionState(mayHaveEnded: boolean): Promise<"nobody" | "signed in" | "ended"> {
  const session = await currentSession();
  if (!session) return "nobody";
  if (session.kind === "token" && !mayHaveEnded) return "signed in";
  const me = await readGateway("retrieveMe");
  if (me.ok) return "signed in";
  return me.problem.code === "unauthenticated" ? "ended" : "nobody";
}
