"use client";

import { useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import { Status, type Tone } from "@/components/ui/status";
import type { IdentityLinkOutcome } from "@/lib/console/paths";
import type { SignInSettings } from "@/lib/contract/operations/sign-in/two-factor";
import { PasswordSection } from "./password-section";
import { TwoFactorSection } from "./two-factor/two-factor-section";

type SignInSectionsProps = {
  /** The OpenID provider's name; null if there is none. */
  provider: string | null;
  outcome: IdentityLinkOutcome | null;
};

/** The ways in which the member signs in. */
export function SignInSections({ provider, outcome }: SignInSectionsProps) {
  const settings = useRead("retrieveSignInSettings");
  return (
    <ReadState read={settings} to="tell how you sign in" skeleton={<LoadingSection />}>
      {(data) => (
        <>
          <PasswordSection settings={data} />
          <TwoFactorSection settings={data} />
          {provider && <SingleSignOnSection settings={data} provider={provider} outcome={outcome} />}
        </>
      )}
    </ReadState>
  );
}

function LoadingSection() {
  return (
    <Section title="Signing in">
      <FormSkeleton fields={2} />
    </Section>
  );
}

const SingleSignOnQuestion = loadOnClient(() =>
  import("./single-sign-on-question").then((file) => file.SingleSignOnQuestion),
);

type SingleSignOnSectionProps = {
  settings: SignInSettings;
  /** The OpenID provider's name. */
  provider: string;
  /** The result of linking, if the person has just come back from the provider; else null. */
  outcome: IdentityLinkOutcome | null;
};

function SingleSignOnSection({ settings, provider, outcome }: SingleSignOnSectionProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { single_sign_on: isLinked, password: hasPassword } = settings;
  return (
    <Section
      title="Single sign-on"
      description={
        isLinked
          ? `You sign in at ${provider} instead of with your password.`
          : `Link your identity at ${provider} to sign in there instead of with your password.`
      }
    >
      {outcome && <Outcome outcome={outcome} provider={provider} />}
      <div className="flex max-w-[560px] flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md border bg-surface px-4 py-3">
        <div className="grid gap-0.5">
          <Status tone={isLinked ? "good" : "neutral"}>
            {isLinked ? `Linked to ${provider}` : "Not linked"}
          </Status>
          {!hasPassword && (
            <p className="text-sm text-muted">
              To change this you need a password: ask an administrator for a link to set one.
            </p>
          )}
        </div>
        {hasPassword && (
          <Button onClick={() => setIsAsking(true)}>{isLinked ? "Unlink" : "Link single sign-on"}</Button>
        )}
      </div>
      {isAsking && (
        <SingleSignOnQuestion isLinked={isLinked} provider={provider} close={() => setIsAsking(false)} />
      )}
    </Section>
  );
}

const outcomes: Record<
  IdentityLinkOutcome,
  { tone: Tone; title: string; text: (provider: string) => string }
> = {
  linked: {
    tone: "good",
    title: "Single sign-on linked",
    text: (provider) => `From now on you can sign in with ${provider}.`,
  },
  taken: {
    tone: "bad",
    title: "Not linked",
    text: (provider) =>
      `You are linked already, or this identity at ${provider} belongs to another member. Sign out there to choose another one.`,
  },
  denied: {
    tone: "bad",
    title: "Not linked",
    text: (provider) => `It was canceled at ${provider}.`,
  },
  lost: {
    tone: "bad",
    title: "Not linked",
    text: () => "It was started in another session, or more than ten minutes ago. Start again here.",
  },
  failed: {
    tone: "bad",
    title: "Not linked",
    text: (provider) => `${provider} did not complete it. Try again.`,
  },
};

function Outcome({ outcome, provider }: { outcome: IdentityLinkOutcome; provider: string }) {
  const { tone, title, text } = outcomes[outcome];
  return (
    <div className="max-w-[560px]">
      <Notice tone={tone} role={tone === "bad" ? "alert" : "status"} title={title}>
        {text(provider)}
      </Notice>
    </div>
  );
}
