import type { Metadata } from "next";
import { NoScript, SignedOutScreen } from "@/app/(auth)/signed-out-screen";
import { NewPasswordForm } from "./new-password-form";

export const metadata: Metadata = { title: "New password" };

export default function NewPasswordPage() {
  return (
    <SignedOutScreen title="Set a new password" sentence="All your open sessions end when it is set.">
      <NoScript />
      <NewPasswordForm />
    </SignedOutScreen>
  );
}
