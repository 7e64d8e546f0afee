"use client";

import { useRead } from "@/app/queries/reads/use-read";
import { ReadState } from "@/app/queries/states/read-state";
import { FormSkeleton } from "@/components/states/skeleton";
import { Section } from "@/components/ui/section";
import type { IdentityLinkOutcome } from "@/lib/console/paths";
import { PasswordSection } from "./password-section";
import { SingleSignOnSection } from "./single-sign-on-section";
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
