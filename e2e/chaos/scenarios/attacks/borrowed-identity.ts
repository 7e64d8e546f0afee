import { joinMember } from "@/e2e/support/clients/join-member";
import { serveSingleSignOn } from "@/e2e/support/gateways/serve-single-sign-on";
import type { Person } from "@/e2e/support/servers/openid-provider";
import type { Scenario } from "../../scenario";

/** Values of `email_verified` that providers send for addresses that are not verified. */
const UNVERIFIED = [undefined, false, null, "false", "true", "", 0, 1, ["true"]] as const;
const LINKED = "linked@example.com";
const OWNER = "owner@example.com";
/** Members without single sign-on and invited people are found by a verified address only. */
const BY_ADDRESS = ["member@example.com", "invited@example.com"];

/** Addresses that don't let in another identity even if they are verified, and the code of the refusal. */
const refusalOfVerified: Readonly<Record<string, string>> = {
  [LINKED]: "linked_to_another",
  [OWNER]: "link_required",
};

export const borrowedIdentity: Scenario = {
  name: "borrowed-identity",
  does: "{size} single sign-ons under an address that is another's, with a restart between: nobody's account opens",
  // One network may make 60 failed attempts, so this stays below.
  full: 54,
  smoke: 12,
  async run({ size, random }) {
    const people: Record<string, Person> = {
      linked: { email: LINKED, email_verified: true, name: "Linked" },
    };
    const served = await serveSingleSignOn(people);
    const { gateway, answerFor, finish, who } = served;
    try {
      const { id } = await joinMember(gateway, LINKED);
      await joinMember(gateway, OWNER, { role: "owner" });
      await joinMember(gateway, "member@example.com");
      const draft = { email: "invited@example.com", role: "reader", projects: [] };
      await gateway.admin("POST", "/organization/invites", draft);
      const faults: string[] = [];
      /** The linked identity must sign in to its own account and to no other. */
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
