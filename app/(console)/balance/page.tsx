import { readsOfFilters } from "@/components/filters/filter-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched, type Read } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { spendDimensions, usageReads } from "@/components/usage/usage-reads";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import { BalanceScreen } from "./balance-screen";
import { ledgerParameters } from "./ledger/ledger-filter";
import { paymentListParameters, pendingRead } from "./payments/payment-reads";

export const metadata = { title: "Balance" };

type BalancePageProps = { searchParams: Promise<PageQuery> };

export default function BalancePage({ searchParams }: BalancePageProps) {
  return (
    <OrganizationPage
      title="Balance"
      to="show the balance"
      endpoint="GET /organization/balance"
      instead="Its calls still answer 402 when the balance is too low."
    >
      {async () => {
        const [{ me }, query] = await Promise.all([signedInPerson(), searchParams]);
        const openedAt = nowSeconds();
        const parameters = ledgerParameters(findInQuery(query), openedAt);
        const may = (permission: Permission) => holdsInOrganization(me, permission);
        const sees = {
          balance: may("api.balance.read"),
          ledger: may("api.ledger.read"),
          usage: may("api.usage.read"),
          limit: may("api.spend_limits.read"),
        };
        const usage = usageReads(openedAt);
        const waiting = sees.ledger ? [pendingRead] : [];
        const find = findInQuery(query);
        const showsPayments = find("show") === "payments" && sees.ledger;
        const paymentReads: Read[] = [
          "retrievePaymentApproval",
          ...waiting,
          { pages: "listLedger", parameters: paymentListParameters(find) },
        ];
        return (
          <Prefetched
            reads={
              showsPayments
                ? paymentReads
                : [
                    ...waiting,
                    ...readsOfFilters(query, { projects: "project_id", models: "model" }),
                    ...(sees.balance ? (["retrieveBalance"] as const) : []),
                    ...(sees.usage ? [usage.week] : []),
                    ...(sees.usage && sees.limit ? (["retrieveSpendLimit"] as const) : []),
                    ...(sees.ledger ? [{ pages: "listLedger" as const, parameters }] : []),
                  ]
            }
            slowReads={
              sees.usage && !showsPayments
                ? [usage.month, usage.monthBefore, ...spendDimensions.map(usage.monthBy)]
                : []
            }
          >
            <BalanceScreen
              currency={me?.organization.currency}
              canPay={may("api.payments.write")}
              canCorrect={may("api.corrections.write")}
              canConfigure={may("api.payment_approval.write")}
              openedAt={openedAt}
              sees={sees}
            />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
