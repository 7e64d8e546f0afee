"use client";

import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { useRead } from "@/app/queries/use-read";
import { Section } from "@/components/ui/section";
import { FormSkeleton } from "@/components/ui/skeleton";
import type { LinkOutcome } from "@/lib/console/paths";
import { PasswordSection } from "./password-section";
import { SingleSignOnSection } from "./single-sign-on-section";
import { TwoFactorSection } from "./two-factor-section";

type SignInSectionsProps = {
  /** What the OpenID provider is called; null where there is none. */
  provider: string | null;
  outcome: LinkOutcome | null;
};

/** How a member signs in. */
export function SignInSections({ provider, outcome }: SignInSectionsProps) {
  const settings = useRead("retrieveSignInSettings");
  if (settings.data) {
    return (
      <>
        <StaleNotice read={settings} />
        <PasswordSection settings={settings.data} />
        <TwoFactorSection settings={settings.data} />
        {provider && <SingleSignOnSection settings={settings.data} provider={provider} outcome={outcome} />}
      </>
    );
  }
  return (
    <Section title="Signing in">
      {settings.error ? (
        <ProblemState
          problem={settings.error.problem}
          to="tell how you sign in"
          retry={() => void settings.refetch()}
        />
      ) : (
        <FormSkeleton fields={2} />
      )}
    </Section>
  );
}
