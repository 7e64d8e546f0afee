import type { Metadata } from "next";
import { Suspense } from "react";
import { composeButtonStyle } from "@/components/ui/button";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { Status } from "@/components/ui/status";
import { environment } from "@/lib/console/environment";
import { anonymousConnection } from "@/lib/console/gateway/gateway-client";
import { paths, type SignInReason, safeNext } from "@/lib/console/paths";
import { readGateway } from "@/lib/console/reads/read-gateway";
import { gatewayAnswers, readSignInMethods } from "@/lib/console/sign-in/read-sign-in-methods";
import { currentSession } from "@/lib/console/sign-in/session";
import type { SignInMethods } from "@/lib/contract/operations/sign-in/sign-in";
import { SignedOutScreen } from "../signed-out-screen";
import { KeyForm, LinkSignIn, MemberForms, ProviderForm, SignedInAlready } from "./sign-in-forms";

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

/** Shows which gateway the sign-in is for, and whether it responds. */
async function GatewayStatus({ next }: { next: string }) {
  const { baseUrl, isEmbedded } = environment().gateway;
  const address = <code className="font-mono break-all">{baseUrl}</code>;
  if (await gatewayAnswers(await anonymousConnection())) {
    return (
      <p className="grid gap-1 border-t pt-4 text-sm text-muted">
        <Status tone="good">The gateway answers</Status>
        {address}
      </p>
    );
  }
  return (
    <Notice
      tone="bad"
      role="alert"
      title="The gateway does not answer"
      actions={
        // A form without an action requests the current page again, with or without scripts.
        <form>
          <input type="hidden" name="next" value={next} />
          <button type="submit" className={composeButtonStyle("secondary", "small")}>
            Try again
          </button>
        </form>
      }
    >
      {isEmbedded ? "Nothing listens at " : "GATEWAY_URL names "}
      {address}
      {isEmbedded
        ? ". Start the gateway with “npm start”."
        : ". Check the address and that the gateway is running."}
    </Notice>
  );
}

type SignInFormsProps = {
  /** Null if the gateway doesn't report them. Only the key form is shown then. */
  methods: SignInMethods | null;
  next: string;
  /** True if the link asked for the admin key's form and other forms exist. */
  isKeyAsked: boolean;
};

/** All ways to sign in: single sign-on above, then the password or the admin key. */
function SignInForms({ methods, next, isKeyAsked }: SignInFormsProps) {
  const provider = methods?.single_sign_on?.name;
  const hasPasswords = methods?.password ?? false;
  const carried = next === safeNext(null) ? {} : { next };
  const single = provider && (
    <>
      <ProviderForm name={provider} next={next} />
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        or
      </p>
    </>
  );
  if (hasPasswords && !isKeyAsked) {
    const instead = (
      <TextLink href={paths.signIn({ ...carried, with: "key" })}>Use an admin key instead</TextLink>
    );
    return <MemberForms next={next} above={single} instead={instead} />;
  }
  return (
    <>
      {single}
      <KeyForm next={next} />
      {hasPasswords && (
        <TextLink href={paths.signIn(carried)} className="justify-self-start">
          Use your email address and password instead
        </TextLink>
      )}
    </>
  );
}

type Words = { tone?: "good" | "bad"; title: string; text: string };

const words: Record<Exclude<SignInReason, "ended">, Words> = {
  "password-set": { tone: "good", title: "Password set", text: "Sign in with it." },
  denied: {
    tone: "bad",
    title: "Not signed in",
    text: "The sign-in was canceled at the provider. Try again, or sign in another way.",
  },
  lost: {
    tone: "bad",
    title: "Not signed in",
    text: "The single sign-on was started in another browser, or more than ten minutes ago. Start again here.",
  },
  unknown: {
    tone: "bad",
    title: "Not signed in",
    text: "The sign-in took too long, or no member or invitation has an address that the provider has verified. Try again, or ask an administrator for an invitation.",
  },
  "identity-link-first": {
    tone: "bad",
    title: "Link single sign-on first",
    text: "You are an Owner: sign in with your password, then link single sign-on under Account. It works from then on.",
  },
  "linked-to-another": {
    tone: "bad",
    title: "Not signed in",
    text: "This member is linked to another identity at the provider. Sign in with your password and unlink it under Account, or ask an administrator to.",
  },
  wait: {
    tone: "bad",
    title: "Too many attempts",
    text: "Too many single sign-ons from your network failed. Try again in a minute, or sign in another way.",
  },
  failed: {
    tone: "bad",
    title: "Not signed in",
    text: "The single sign-on could not be completed. Try again, or sign in another way.",
  },
};

type ReasonNoticeProps = {
  /** The `reason` parameter of the address, not validated. */
  reason: unknown;
  /** True if sign-in leads to a page other than the overview. */
  isElsewhere: boolean;
};

/** Explains why the person was sent to the sign-in screen. */
function ReasonNotice({ reason, isElsewhere }: ReasonNoticeProps) {
  if (reason === "ended") {
    return (
      <Notice title="Your session has ended">
        {isElsewhere ? "Sign in to continue where you were." : "Sign in to continue."}
      </Notice>
    );
  }
  if (typeof reason !== "string" || !isKnown(reason)) return null;
  const { tone, title, text } = words[reason];
  return (
    <Notice {...(tone && { tone })} role={tone === "bad" ? "alert" : "status"} title={title}>
      {text}
    </Notice>
  );
}

function isKnown(reason: string): reason is keyof typeof words {
  return Object.hasOwn(words, reason);
}
