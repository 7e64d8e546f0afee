import type { ReactNode } from "react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links/link-button";
import { Section } from "@/components/ui/section";
import { paths } from "@/lib/console/paths";
import type { User } from "@/lib/contract/operations/people/users";
import { turnOffMemberTwoFactor, unlinkMemberSingleSignOn } from "./actions";
import { PasswordLink } from "./password-link";
import { RemoveMember } from "./remove-member";

type MemberAdministrationProps = { member: User; isOwn: boolean; consoleOrigin: string | null };

/** Administrative actions for members who can't sign in or who leave. */
export function MemberAdministration({ member, isOwn, consoleOrigin }: MemberAdministrationProps) {
  return (
    <Section title="Sign-in and membership">
      <Card flush>
        {isOwn ? (
          <Matter
            title="Password and two-factor sign-in"
            action={<LinkButton href={paths.account()}>Open your account</LinkButton>}
          >
            Your own are yours to change, with your present password.
          </Matter>
        ) : (
          <>
            <Matter
              title="Password forgotten"
              action={<PasswordLink member={member} consoleOrigin={consoleOrigin} />}
            >
              Create a link with which they set a new password, and send it to them yourself.
            </Matter>
            <Matter title="Two-factor app lost" action={<TurnOffMemberTwoFactor member={member} />}>
              For a member who has neither the app nor a backup code.
            </Matter>
            <Matter title="Single sign-on replaced" action={<UnlinkMemberSingleSignOn member={member} />}>
              For a member who has got a new identity at the OpenID provider.
            </Matter>
          </>
        )}
        <Matter title="Leaving the organization" action={<RemoveMember member={member} />}>
          Roles, groups and sessions end immediately. Past usage stays.
        </Matter>
      </Card>
    </Section>
  );
}

function Matter({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b px-3 py-3 last:border-b-0">
      <div className="min-w-0">
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-muted">{children}</p>
      </div>
      {action}
    </div>
  );
}

function TurnOffMemberTwoFactor({ member: { id, name } }: { member: User }) {
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

function UnlinkMemberSingleSignOn({ member: { id, name } }: { member: User }) {
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
