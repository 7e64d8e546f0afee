import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { Page } from "@/components/ui/page";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { usageReads } from "@/components/usage/usage-reads";
import { requireSession } from "@/lib/console/sign-in/session";
import { Calculator } from "./calculator";
import { calculatorReads } from "./calculator-reads";

export const metadata = { title: "Calculator" };

export default async function CalculatorPage() {
  await requireSession();
  const { support, me, mayInProject } = await sessionData();
  const knows = support === "everything";
  const held = me?.permissions ?? [];
  const can = {
    models: knows && mayInProject("api.models.read"),
    usage: knows && mayInProject("api.usage.read"),
    balance: knows && held.includes("api.balance.read"),
    payments: knows && held.includes("api.payments.write"),
  };
  const openedAt = nowSeconds();
  const { models, week } = calculatorReads(openedAt);
  return (
    <Page>
      <Prefetched
        reads={[...(can.models ? [models] : []), ...(can.balance ? (["retrieveBalance"] as const) : [])]}
        slowReads={can.models && can.usage ? [week, usageReads(openedAt).week] : []}
      >
        <Calculator can={can} currency={me?.organization.currency} openedAt={openedAt} />
      </Prefetched>
    </Page>
  );
}
