"use client";

import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { toast } from "@/components/ui/dialog/toast";
import { PasswordField } from "@/components/ui/fields/password-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import type { ActionReply } from "@/lib/console/gateway/problem";
import type { ReadId } from "@/lib/console/reads/reads";
import { type PasswordProof, passwordProof } from "@/lib/contract/operations/sign-in/two-factor";
import { linkSingleSignOn, unlinkSingleSignOn } from "./actions";

type PasswordQuestionProps<Data> = {
  /** The form's name, unique on its page. */
  name: string;
  title: string;
  description: string;
  /** The label of the submit button: "Turn off". */
  submit: string;
  danger?: boolean;
  action: (proof: PasswordProof) => Promise<ActionReply<Data>>;
  /** Reads to refetch afterwards. */
  refetch?: readonly ReadId[];
  onDone: (data: Data) => void;
  close: () => void;
};

/** Asks for the password before an account change, since somebody else may be using an unattended browser. */
export function PasswordQuestion<Data>(props: PasswordQuestionProps<Data>) {
  const { action, refetch = [], onDone, submit, danger = false, ...dialog } = props;
  const form = useNewForm(passwordProof, { password: "" });
  const ask = useAction(action, {
    refetch,
    onError: ({ problem }) => showProblem(form, ["password"], problem),
  });
  return (
    <FormDialog
      {...dialog}
      form={form}
      what="the password"
      isGuarded={false}
      labels={{ password: "Password" }}
      submit={submit}
      danger={danger}
      pending={ask.isPending || ask.isSuccess}
      onSubmit={(proof) => ask.mutate(proof, { onSuccess: onDone })}
    >
      <PasswordField
        control={form.control}
        name="password"
        label="Password"
        autoComplete="current-password"
        help="The password you sign in with, to confirm that it’s you."
      />
    </FormDialog>
  );
}

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
