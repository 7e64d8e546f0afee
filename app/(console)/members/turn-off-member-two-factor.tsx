import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import type { User } from "@/lib/contract/operations/people/users";
import { turnOffMemberTwoFactor } from "./actions";

export function TurnOffMemberTwoFactor({ member: { id, name } }: { member: User }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Turn off two-factor</Button>}
      title={`Turn off two-factor sign-in of ${name}?`}
      confirmLabel="Turn off"
      action={turnOffMemberTwoFactor}
      input={{ userId: id }}
      done={() => `Two-factor sign-in of ${name} turned off`}
    >
      The password alone lets them in until they turn it on again. Make sure that it is {name} who asks.
    </ConfirmedAction>
  );
}
