import { joinMember, PASSWORD } from "@/e2e/support/clients/join-member";
import { createOrganizationClient } from "@/e2e/support/clients/organization-client";
import { parseAmount } from "@/lib/money/amount";
import { findLedgerFaults } from "../../books/find-ledger-faults";
import type { Scenario, ScenarioOrder } from "../../scenario";
import { startFaultStage } from "../../start-stage";

const ABOVE = "100.00";
const amounts = ["1", "40", "99.99", "100", "100.01", "50000"] as const;

export const onePerson: Scenario = {
  name: "one-person",
  does: "{size} steps of somebody with one owner’s key, who pays, imports, corrects, makes keys, lets people in, resets passwords and changes the rule: they never move more than the amount that one person may",
  full: 400,
  smoke: 30,
  async run({ size, random }) {
    const stage = await startFaultStage();
    try {
      const ask = createOrganizationClient(stage.baseUrl);
      const ada = await joinMember(stage.gateway, "ada@example.com", { role: "owner" });
      const ben = await joinMember(stage.gateway, "ben@example.com", { role: "owner" });
      await ask("POST", "/payment_approval", { above: ABOVE }, ada.token);
      const before = countPaid(stage.ledger());
      const first = await ask("POST", "/admin_api_keys", { name: "Stolen" }, ada.token);
      const thief = new Thief(ask, String(first.body.value), ben.id, random);
      const faults: string[] = [];
      for (let step = 0; step < size; step++) {
        await thief.act();
        const paid = countPaid(stage.ledger()) - before;
        if (paid <= (parseAmount(ABOVE) ?? 0n)) continue;
        faults.push(`one person moved ${paid} nano-units after ${step + 1} steps`);
        break;
      }
      faults.push(...findLedgerFaults(stage.ledger()));
      return {
        faults,
        figures: { steps: size, identities: thief.tokens.length, waiting: thief.pending.length },
      };
    } finally {
      await stage.stop();
    }
  },
};

type Ask = ReturnType<typeof createOrganizationClient>;
type Body = Awaited<ReturnType<Ask>>["body"];

/** Somebody with one owner's key, who becomes as many people as they can. */
class Thief {
  readonly tokens: [string, ...string[]];
  /** The ids of what waits for a second person. */
  readonly pending: string[] = [];
  #people = 0;
  readonly #ways = [
    () => this.#pay(),
    () => this.#import(),
    () => this.#makeKey(),
    () => this.#letIn(),
    () => this.#takeOver(),
    () => this.#changeRule(),
    () => this.#approve(),
  ] as const;

  constructor(
    private readonly ask: Ask,
    key: string,
    private readonly victimId: string,
    private readonly random: ScenarioOrder["random"],
  ) {
    this.tokens = [key];
  }

  act(): Promise<void> {
    return this.random.pick(this.#ways)();
  }

  async #send(path: string, body: object): Promise<Body> {
    return (await this.ask("POST", path, body, this.random.pick(this.tokens))).body;
  }

  #note({ object, id }: Body): void {
    if (object === "pending_payment") this.pending.push(String(id));
  }

  #keep(token: unknown): void {
    if (token) this.tokens.push(String(token));
  }

  async #pay(): Promise<void> {
    this.#note(await this.#send("/payments", { amount: this.random.pick(amounts) }));
  }

  async #import(): Promise<void> {
    const payment = { amount: this.random.pick(amounts), allow_duplicate: true };
    const payments = Array.from({ length: this.random.between(1, 9) }, () => payment);
    const body = await this.#send("/payments/import", { payments });
    for (const made of (body.payments ?? []) as Body[]) this.#note(made);
  }

  async #makeKey(): Promise<void> {
    this.#keep((await this.#send("/admin_api_keys", { name: "More" })).value);
  }

  async #letIn(): Promise<void> {
    const email = `puppet${this.#people++}@example.com`;
    const { token } = await this.#send("/invites", { email, role: "owner", projects: [] });
    const { body } = await this.ask(
      "POST",
      "/invites/accept",
      { token, name: email, password: PASSWORD },
      "",
    );
    this.#keep(body.token);
  }

  async #takeOver(): Promise<void> {
    const { token } = await this.#send(`/users/${this.victimId}/password_resets`, {});
    await this.ask("POST", "/password_resets/use", { token, password: PASSWORD }, "");
    const signIn = { email: "ben@example.com", password: PASSWORD };
    this.#keep((await this.ask("POST", "/sign_in", signIn, "")).body.token);
  }

  async #changeRule(): Promise<void> {
    const above = this.random.pick([null, "50000", "0", ABOVE] as const);
    const { waits } = await this.#send("/payment_approval", { above });
    if (waits) this.pending.push(String(waits));
  }

  async #approve(): Promise<void> {
    for (const id of this.pending) await this.#send(`/pending_payments/${id}/approve`, {});
  }
}

function countPaid({ entries }: { readonly entries: readonly { kind: string; amount: bigint }[] }): bigint {
  return entries.reduce((sum, { kind, amount }) => sum + (kind === "payment" ? amount : 0n), 0n);
}
