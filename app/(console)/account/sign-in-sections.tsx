"use client";

import { useState } from "react";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { NewPasswordField, PasswordField } from "@/components/ui/fields/password-field";
import { Form } from "@/components/ui/form/form";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import { Status, type Tone } from "@/components/ui/status";
import type { IdentityLinkOutcome } from "@/lib/console/paths";
import { type PasswordChange, passwordChange } from "@/lib/contract/operations/sign-in/passwords";
import type { SignInSettings } from "@/lib/contract/operations/sign-in/two-factor";
import { changePassword } from "./actions";

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
  import("./sign-in-questions").then((file) => file.SingleSignOnQuestion),
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

const LOW_BACKUP_CODES = 3;

const TurnOnTwoFactor = loadOnClient(() =>
  import("./two-factor/turn-on-two-factor").then((file) => file.TurnOnTwoFactor),
);
const TurnOffTwoFactor = loadOnClient(() =>
  import("./two-factor/turn-off-two-factor").then((file) => file.TurnOffTwoFactor),
);

/** The dialogs are rendered outside of the state, which changes while they are open. */
function TwoFactorSection({ settings }: { settings: SignInSettings }) {
  const [dialog, setDialog] = useState<"on" | "off" | null>(null);
  const close = () => setDialog(null);
  return (
    <Section
      title="Two-factor sign-in"
      description="When it is on, you sign in with your password and a six-digit code from an app on your phone."
    >
      <div className="flex max-w-[560px] flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md border bg-surface px-4 py-3">
        <TwoFactorState settings={settings} />
        {settings.two_factor ? (
          <Button onClick={() => setDialog("off")}>Turn off</Button>
        ) : (
          settings.password && <Button onClick={() => setDialog("on")}>Turn on</Button>
        )}
      </div>
      {dialog === "on" && <TurnOnTwoFactor email={settings.email} close={close} />}
      {dialog === "off" && <TurnOffTwoFactor close={close} />}
    </Section>
  );
}

function TwoFactorState({ settings }: { settings: SignInSettings }) {
  const { two_factor: isOn, backup_codes_left: left, password } = settings;
  if (!isOn) {
    return (
      <div className="grid gap-0.5">
        <Status tone="neutral">Off</Status>
        {!password && <p className="text-sm text-muted">It requires a password, and you have none here.</p>}
      </div>
    );
  }
  return (
    <div className="grid gap-0.5">
      <Status tone="good">On</Status>
      {left !== null && (
        <p className="text-sm text-muted">
          {left === 1 ? "1 backup code" : `${left} backup codes`} left.
          {left <= LOW_BACKUP_CODES && " To get new ones, turn it off and on again."}
        </p>
      )}
    </div>
  );
}

function PasswordSection({ settings }: { settings: SignInSettings }) {
  return (
    <Section title="Password" description="Changing it ends your sessions everywhere but here.">
      {settings.password ? (
        <PasswordForm email={settings.email} />
      ) : (
        <p className="max-w-prose">
          You have no password here, since you use your organization’s single sign-on. To add one, ask an
          administrator for a link to set a password.
        </p>
      )}
    </Section>
  );
}

const noPasswords: PasswordChange = { current_password: "", password: "" };

function PasswordForm({ email }: { email: string }) {
  const form = useNewForm(passwordChange, noPasswords);
  const change = useAction(changePassword, {
    refetch: ["listSessions"],
    onError: ({ problem }) => showProblem(form, ["current_password", "password"], problem),
    onSuccess: () => form.reset(noPasswords),
  });
  return (
    <Form
      form={form}
      name="new-password"
      what="the new password"
      labels={{ current_password: "Current password", password: "New password" }}
      className="grid max-w-[560px] gap-5"
      onSubmit={(values) => change.mutate(values)}
    >
      {change.isSuccess && !form.formState.isDirty && (
        <Notice tone="good" role="status" title="Password changed">
          All your other sessions were ended. Sign in there with the new password.
        </Notice>
      )}
      {/* Tells password managers which account the password is for. */}
      <input hidden readOnly autoComplete="username" value={email} />
      <PasswordField
        control={form.control}
        name="current_password"
        label="Current password"
        autoComplete="current-password"
      />
      <NewPasswordField control={form.control} name="password" label="New password" />
      <div>
        <Button type="submit" variant="primary" pending={change.isPending}>
          Change password
        </Button>
      </div>
    </Form>
  );
}
