"use client";

import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { useRead } from "@/app/queries/use-read";
import { Section } from "@/components/ui/section";
import { FormSkeleton } from "@/components/ui/skeleton";
import { PasswordSection } from "./password-section";
import { TwoFactorSection } from "./two-factor-section";

/** How a member signs in. */
export function SignInSections() {
  const settings = useRead("retrieveSignInSettings");
  if (settings.data) {
    return (
      <>
        <StaleNotice read={settings} />
        <PasswordSection settings={settings.data} />
        <TwoFactorSection settings={settings.data} />
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
