"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Section } from "@/components/ui/section";
import { FormSkeleton } from "@/components/ui/states/skeleton";
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
