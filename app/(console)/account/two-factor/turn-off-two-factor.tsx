"use client";

import { PasswordQuestion } from "@/app/(console)/account/sign-in-questions";
import { toast } from "@/components/ui/dialog/toast";
import { endTwoFactor } from "../actions";

export function TurnOffTwoFactor({ close }: { close: () => void }) {
  return (
    <PasswordQuestion
      name="two-factor-off"
      title="Turn off two-factor sign-in?"
      description="You then sign in with your password alone. The entry in your app and the backup codes stop working."
      submit="Turn off"
      danger
      action={endTwoFactor}
      refetch={["retrieveSignInSettings"]}
      onDone={() => {
        toast({ message: "Two-factor sign-in is off" });
        close();
      }}
      close={close}
    />
  );
}
