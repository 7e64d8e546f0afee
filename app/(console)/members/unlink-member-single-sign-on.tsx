import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import type { User } from "@/lib/contract/operations/people/users";
import { unlinkMemberSingleSignOn } from "./actions";

export function UnlinkMemberSingleSignOn({ member: { id, name } }: { member: User }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Unlink single sign-on</Button>}
      title={`Unlink single sign-on of ${name}?`}
      confirmLabel="Unlink"
      action={unlinkMemberSingleSignOn}
      input={{ userId: id }}
      done={() => `Single sign-on of ${name} unlinked`}
    >
      Whoever signs in next under their verified address at the provider is linked in their place; an Owner
      links themselves under Account. Make sure that it is {name} who asks.
    </ConfirmedAction>
  );
}
