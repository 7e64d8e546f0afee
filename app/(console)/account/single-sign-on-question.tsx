"use client";

import { toast } from "@/components/ui/dialog/toast";
import { linkSingleSignOn, unlinkSingleSignOn } from "./actions";
import { PasswordQuestion } from "./password-question";

type SingleSignOnQuestionProps = { isLinked: boolean; provider: string; close: () => void };

/** Asks for the password, then opens the provider's page, which leads back here, or removes the link. */
export function SingleSignOnQuestion({ isLinked, provider, close }: SingleSignOnQuestionProps) {
  if (!isLinked) {
    return (
      <PasswordQuestion
        name="single-sign-on-on"
        title={`Link single sign-on with ${provider}?`}
        description={`${provider} asks who you are there, and that identity is linked to you.`}
        submit={`Continue to ${provider}`}
        action={linkSingleSignOn}
        onDone={(url) => window.location.assign(url)}
        close={close}
      />
    );
  }
  return (
    <PasswordQuestion
      name="single-sign-on-off"
      title="Unlink single sign-on?"
      description={`You then sign in with your password. Unless you are an Owner, your verified address links you again the next time you sign in with ${provider}.`}
      submit="Unlink"
      danger
      action={unlinkSingleSignOn}
      refetch={["retrieveSignInSettings"]}
      onDone={() => {
        toast({ message: "Single sign-on unlinked" });
        close();
      }}
      close={close}
    />
  );
}
