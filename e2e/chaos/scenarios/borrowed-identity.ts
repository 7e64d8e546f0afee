import { joinBy } from "../../support/member-client";
import type { Person } from "../../support/openid-provider";
import { serveSingleSignOn } from "../../support/serve-single-sign-on";
import type { Scenario } from "../scenario";

/** What providers have been seen to say of an address that they have not verified. */
const UNVERIFIED = [undefined, false, null, "false", "true", "", 0, 1, ["true"]] as const;
const LINKED = "linked@example.com";
const OWNER = "owner@example.com";
/** A member who has never used single sign-on, and somebody who is only invited, are found by their verified address alone. */
const BY_ADDRESS = ["member@example.com", "invited@example.com"];

/** Whom even the verified address does not open to another identity, and by which code it is refused. */
const refusalOfVerified: Readonly<Record<string, string>> = {
  [LINKED]: "linked_to_another",
  [OWNER]: "link_required",
};

export const borrowedIdentity: Scenario = {
  name: "borrowed-identity",
  does: "{size} single sign-ons under an address that is another's, with a restart between: nobody's account opens",
  // Sixty that come to nothing are what one network has.
  full: 54,
  smoke: 12,
  async run({ size, random }) {
    const people: Record<string, Person> = {
      linked: { email: LINKED, email_verified: true, name: "Linked" },
    };
    const served = await serveSingleSignOn(people);
    const { gateway, answerFor, finish, who } = served;
    try {
      const { id } = await joinBy(gateway, LINKED);
      await joinBy(gateway, OWNER, "owner");
      await joinBy(gateway, "member@example.com");
      const draft = { email: "invited@example.com", role: "reader", projects: [] };
      await gateway.admin("POST", "/organization/invites", draft);
      const faults: string[] = [];
      /** Whoever has linked themselves opens their own account and no other. */
      const signInLinked = async (when: string) => {
        const { status, body } = await finish(await answerFor("linked"));
        const { user } = (await who(body.token)) as { user?: { id: string } };
        if (user?.id !== id) faults.push(`${when}: the identity that is linked was answered ${status}`);
      };
      await signInLinked("before");
      const borrow = async (n: number) => {
        const email = random.pick([LINKED, OWNER, ...BY_ADDRESS]);
        const refusal = random.chance(0.5) ? refusalOfVerified[email] : undefined;
        const email_verified = refusal ? true : UNVERIFIED[n % UNVERIFIED.length];
        const said = random.chance(0.5) ? email : email.toUpperCase();
        people[`stranger-${n}`] = { email: said, email_verified, name: "Stranger" };
        const { status, error } = await finish(await answerFor(`stranger-${n}`));
        if (error.code === (refusal ?? "sign_in_failed")) return;
        const claims = JSON.stringify({ email: said, email_verified });
        faults.push(`${claims}: answered ${status} ${error.code ?? ""}`);
      };
      const half = Math.ceil(size / 2);
      const numbers = Array.from({ length: size }, (_, n) => n);
      await Promise.all(numbers.slice(0, half).map(borrow));
      await gateway.restart();
      await Promise.all(numbers.slice(half).map(borrow));
      await signInLinked("after");
      faults.push(...gateway.faults.map((fault) => `The gateway logged ${String(fault)}`));
      return { faults, figures: { refused: size - faults.length } };
    } finally {
      await served.close();
    }
  },
};
