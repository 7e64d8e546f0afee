import type { Metadata } from "next";
import { Suspense } from "react";
import { Wordmark } from "@/components/shell/logo";
import { Notice } from "@/components/ui/notice";
import { safeNext } from "@/lib/console/paths";
import { readGateway } from "@/lib/console/read-gateway";
import { currentSession } from "@/lib/console/session";
import { GatewayStatus } from "./gateway-status";
import { KeyForm } from "./key-form";
import { LinkSignIn } from "./link-sign-in";
import { SignedInAlready } from "./signed-in-already";

export const metadata: Metadata = { title: "Sign in" };

type SignInPageProps = { searchParams: Promise<{ next?: string | string[]; reason?: string | string[] }> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next: asked, reason } = await searchParams;
  const next = safeNext(typeof asked === "string" ? asked : null);
  const standing = reason === "ended" ? "ended" : await standingOfSession();

  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="grid w-full max-w-[400px] gap-6">
        <header className="grid gap-4">
          <Wordmark />
          <div className="grid gap-1">
            <h1 className="text-xl font-semibold">Sign in</h1>
            <p className="text-muted">The console of your organization's model gateway.</p>
          </div>
        </header>
        {standing === "signed in" ? (
          <SignedInAlready next={next} />
        ) : (
          <>
            {standing === "ended" && (
              <Notice title="Your session has ended">
                {next === safeNext(null) ? "Sign in to go on." : "Sign in to go on where you were."}
              </Notice>
            )}
            <LinkSignIn next={next} />
            <KeyForm next={next} />
          </>
        )}
        <Suspense fallback={<p className="border-t pt-4 text-sm text-muted">Looking for the gateway…</p>}>
          <GatewayStatus next={next} />
        </Suspense>
      </div>
    </main>
  );
}

/** A cookie alone proves little: the gateway may have ended its session since. */
async function standingOfSession(): Promise<"nobody" | "signed in" | "ended"> {
  const session = await currentSession();
  if (!session) return "nobody";
  if (session.kind === "token") return "signed in";
  const me = await readGateway("retrieveMe");
  if (me.ok) return "signed in";
  return me.problem.code === "unauthenticated" ? "ended" : "nobody";
}
