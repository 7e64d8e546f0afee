import type { Metadata } from "next";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { paths } from "@/lib/console/paths";
import { readSignInMethods } from "@/lib/console/sign-in/read-sign-in-methods";
import { SignedOutScreen } from "../signed-out-screen";
import { ResetRequestForm } from "./reset-request-form";

export const metadata: Metadata = { title: "Forgotten password" };

export default async function ForgotPasswordPage() {
  const methods = await readSignInMethods();
  const isAway = !methods.ok && methods.problem.code !== "unsupported";
  return (
    <SignedOutScreen title="Forgot your password?">
      {isAway && (
        <Notice tone="bad" role="alert" title="The gateway does not answer">
          {methods.problem.message} Load this page again in a moment.
        </Notice>
      )}
      {methods.ok && methods.data.password_reset_mail && <ResetRequestForm />}
      {!isAway && !(methods.ok && methods.data.password_reset_mail) && (
        <Notice title="Ask an administrator of your organization">
          This gateway doesn’t send email. An administrator can create a link for you to set a new password:
          in the console, under Members, beside your name. The link works once, within an hour.
        </Notice>
      )}
      <p>
        <TextLink href={paths.signIn()}>Back to sign-in</TextLink>
      </p>
    </SignedOutScreen>
  );
}
