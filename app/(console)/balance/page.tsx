import { readsOfFilters } from "@/app/filters/filter-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { spendDimensions, usageReads } from "@/app/usage-figures/usage-reads";
import { readNowSeconds } from "@/components/filters/time-range";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/access/permissions";
import { BalanceScreen } from "./balance-screen";
import { ledgerParameters } from "./ledger/ledger-filter";

export const metadata = { title: "Balance" };

type BalancePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function BalancePage({ searchParams }: BalancePageProps) {
  await requireSession();
  const [{ support, me }, query] = await Promise.all([signedInPerson(), searchParams]);
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Balance" />
        <UnsupportedState operation="show the balance" endpoint="GET /organization/balance">
          Its calls still answer 402 when the balance is too low.
        </UnsupportedState>
      </Page>
    );
  }
  const openedAt = readNowSeconds();
  const parameters = ledgerParameters((name) => String(query[name] ?? ""), openedAt);
  const may = (permission: Permission) => holdsInOrganization(me, permission);
  const sees = {
    balance: may("api.balance.read"),
    ledger: may("api.ledger.read"),
    usage: may("api.usage.read"),
    limit: may("api.spend_limits.read"),
  };
  const usage = usageReads(openedAt);
  return (
    <Page>
      <Prefetched
        reads={[
          ...readsOfFilters(query, { projects: "project_id", models: "model" }),
          ...(sees.balance ? (["retrieveBalance"] as const) : []),
          ...(sees.usage ? [usage.week] : []),
          ...(sees.usage && sees.limit ? (["retrieveSpendLimit"] as const) : []),
          ...(sees.ledger ? [{ pages: "listLedger" as const, parameters }] : []),
        ]}
        slowReads={sees.usage ? [usage.month, usage.monthBefore, ...spendDimensions.map(usage.monthBy)] : []}
      >
        <BalanceScreen
          currency={me?.organization.currency}
          mayPay={may("api.payments.write")}
          mayCorrect={may("api.corrections.write")}
          openedAt={openedAt}
          sees={sees}
        />
      </Prefetched>
    </Page>
  );
}
