import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/session";
import { sessionData } from "../session-data";
import { BalanceScreen } from "./balance-screen";
import { ledgerParameters } from "./reads-of-balance";

export const metadata = { title: "Balance" };

type BalancePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function BalancePage({ searchParams }: BalancePageProps) {
  await requireSession();
  const [{ offer, me }, query] = await Promise.all([sessionData(), searchParams]);
  if (offer === "specification") {
    return (
      <Page>
        <PageHead title="Balance" />
        <UnsupportedState operation="show the balance" endpoint="GET /organization/balance">
          Its calls still answer 402 when the balance is too low.
        </UnsupportedState>
      </Page>
    );
  }
  const given = (name: string) => String(query[name] ?? "");
  const filter = { kind: given("kind"), model: given("model"), requestId: given("request_id") };
  const models = ["listOrganizationModels", { limit: "1000" }] as const;
  return (
    <Page>
      <Prefetched
        reads={["retrieveBalance", models, { pages: "listLedger", parameters: ledgerParameters(filter) }]}
      >
        <BalanceScreen mayPay={me?.permissions.includes("api.payments.write") ?? true} />
      </Prefetched>
    </Page>
  );
}
