"use client";

import { Plus, Upload } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { useRunway } from "@/components/money/use-runway";
import { useRead, useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { assignColors } from "@/components/ui/chart/chart-series";
import { type RankedBar, RankedBars } from "@/components/ui/chart/ranked-bars";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { LinkButton } from "@/components/ui/links/link-button";
import { TabLinks } from "@/components/ui/links/tab-links";
import { GuideLink, TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { Figure } from "@/components/ui/values/figure";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { formatShortMoney } from "@/components/ui/values/write-figures";
import { labelGroup } from "@/components/usage/build-series";
import { startOfMonth } from "@/components/usage/start-of-month";
import { type SpendDimension, spendDimensions, usageReads } from "@/components/usage/usage-reads";
import { paths } from "@/lib/console/paths";
import type { ReadReply } from "@/lib/console/reads/reads";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";
import type { UsageDimension, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { formatAmount, type Nano, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import { Ledger } from "./ledger/ledger";
import { MonthFigures } from "./month-figures";
import { pendingRead } from "./payments/payment-reads";

const PaymentDialog = loadOnClient(() => import("./payment-dialog").then((file) => file.PaymentDialog));

const PaymentsTab = loadOnClient(
  () => import("./payments/payments-tab").then((file) => file.PaymentsTab),
  () => {},
  <TableSkeleton rows={6} columns={5} />,
);

type BalanceScreenProps = {
  currency: string | undefined;
  canPay: boolean;
  canCorrect: boolean;
  /** Whether they may say above which amount a payment needs a second person. */
  canConfigure: boolean;
  /** Unix seconds. */
  openedAt: number;
  /** What the person is allowed to read. */
  sees: Readonly<Record<"balance" | "ledger" | "usage" | "limit", boolean>>;
};

/** The balance, how long it lasts, what it was spent on and all entries; or its payments and their approval. */
export function BalanceScreen(props: BalanceScreenProps) {
  const { currency, canPay, canCorrect, canConfigure, openedAt, sees } = props;
  const dialog = useFormDialog("new-payment", canPay);
  const [recorded, setRecorded] = useState<RecordedPayment | null>(null);
  const pay = canPay ? dialog.open : null;
  const [shown] = useUrlParameter("show");
  const showsPayments = shown === "payments" && sees.ledger;
  // The tab is there when it is chosen.
  useEffect(() => PaymentsTab.preload(), []);
  return (
    <>
      <PageHead
        title="Balance"
        sentence={
          <>
            One prepaid balance for all models: payments less charges, with their corrections, exact to nine
            decimals. <GuideLink page="money">Money, explained</GuideLink>
          </>
        }
        action={
          pay && (
            <>
              <LinkButton href={paths.importPayments()}>
                <Upload aria-hidden />
                Import payments
              </LinkButton>
              <Button variant="primary" onClick={pay}>
                <Plus aria-hidden />
                Record payment
              </Button>
            </>
          )
        }
      />
      {recorded && (
        <div className="mb-6">
          <RecordedNotice recorded={recorded} />
        </div>
      )}
      {sees.ledger && <BalanceTabs showsPayments={showsPayments} />}
      {showsPayments ? (
        <PaymentsTab canDecide={canPay} canConfigure={canConfigure} />
      ) : (
        <>
          {sees.ledger && <WaitingPayments />}
          {sees.usage && sees.balance && <LowBalance openedAt={openedAt} pay={pay} />}
          <BalanceFigures pay={pay} />
          <MonthFigures openedAt={openedAt} sees={sees} />
          {sees.usage && (
            <div className="mb-8 empty:hidden">
              <SpendBy openedAt={openedAt} />
            </div>
          )}
          <Ledger openedAt={openedAt} canCorrect={canCorrect} />
        </>
      )}
      {dialog.isOpen && (
        <PaymentDialog
          currency={currency}
          close={dialog.close}
          onRecorded={(entry) => {
            setRecorded(entry);
            dialog.close();
          }}
        />
      )}
    </>
  );
}

function BalanceTabs({ showsPayments }: { showsPayments: boolean }) {
  return (
    <TabLinks
      label="Parts of the balance"
      current={showsPayments ? "payments" : "ledger"}
      tabs={[
        { id: "ledger", label: "Balance and ledger", href: paths.balance() },
        { id: "payments", label: "Payments and approvals", href: paths.payments() },
      ]}
    />
  );
}

/** A payment takes some days to arrive, so the notice appears this long before the balance runs out. */
const LOW_FROM_DAYS = 7;

/** Asks for a payment if the balance will run out soon at the recent rate of spending. */
function LowBalance({ openedAt, pay }: { openedAt: number; pay: (() => void) | null }) {
  const lasting = useRunway(openedAt);
  if (!lasting || lasting.runway.days <= 0 || lasting.runway.days >= LOW_FROM_DAYS) return null;
  return (
    <div className="mb-6">
      <Notice
        tone="near"
        title="The balance is running low"
        actions={pay && <Button onClick={pay}>Record payment</Button>}
      >
        {lasting.headline}. {lasting.explanation} Calls that it doesn’t cover are refused.
      </Notice>
    </div>
  );
}

/** Says on the balance that a payment waits for a second person, and leads to it. */
function WaitingPayments() {
  const { data } = useReadRows(pendingRead.pages, pendingRead.parameters);
  const count = data?.filter(({ status }) => status === "pending").length ?? 0;
  if (count === 0) return null;
  return (
    <div className="mb-6">
      <Notice
        tone="near"
        title={
          count === 1 ? "A payment waits for approval" : `${formatCount(count)} payments wait for approval`
        }
        actions={<TextLink href={paths.payments()}>Approve or decline</TextLink>}
      >
        They count once a second member approves them.
      </Notice>
    </div>
  );
}

const BALANCE_POLL_MS = 5_000;

/** The three live figures of the balance: available = balance − on hold. */
function BalanceFigures({ pay }: { pay: (() => void) | null }) {
  const balance = useRead("retrieveBalance", undefined, { refetchInterval: BALANCE_POLL_MS });
  return (
    <div className="mb-8">
      <ReadState
        read={balance}
        to="see the balance"
        skeleton={<Skeleton className="h-28 w-full rounded-md" />}
      >
        {(figures) => <Figures {...figures} pay={pay} />}
      </ReadState>
    </div>
  );
}

type FiguresProps = ReadReply<"retrieveBalance"> & { pay: (() => void) | null };

function Figures({ available, held, posted, currency, pay }: FiguresProps) {
  return (
    <div className="grid gap-4">
      <Card className="grid gap-6 sm:grid-cols-3">
        <Figure label="Available" note={exactly(available, "The amount that can be spent on calls.")}>
          <RoundedMoney amount={parseCheckedAmount(available)} currency={currency} />
        </Figure>
        <Figure
          label="On hold"
          note={exactly(held, "Reserved for calls in progress. The unused part is released.")}
        >
          <RoundedMoney amount={parseCheckedAmount(held)} currency={currency} />
        </Figure>
        <Figure
          label="Balance"
          note={exactly(
            posted,
            "Payments less charges, with their corrections. Available is the balance less what is on hold.",
          )}
        >
          <RoundedMoney amount={parseCheckedAmount(posted)} currency={currency} />
        </Figure>
      </Card>
      {parseCheckedAmount(available) <= ZERO && (
        <Notice
          tone="bad"
          title="The balance is used up"
          actions={pay && <Button onClick={pay}>Record payment</Button>}
        >
          Calls are refused until a payment is recorded.
        </Notice>
      )}
    </div>
  );
}

/** Adds the exact amount to the note of a rounded figure. */
function exactly(amount: string, note: string): ReactNode {
  if (!formatShortMoney(amount).startsWith("≈")) return note;
  return (
    <>
      <span className="block">
        Exactly <Money amount={amount} />
      </span>
      {note}
    </>
  );
}

const spendTitles = {
  project_id: "By project",
  model: "By model",
  api_key_id: "By key",
  user_id: "By member",
} as const satisfies Record<SpendDimension, string>;

const MAX_BARS = 5;

/** This month's spend, broken down in four ways. Renders nothing before the first call. */
function SpendBy({ openedAt }: { openedAt: number }) {
  const month = useRead(...usageReads(openedAt).month);
  if (month.data?.totals.requests === 0) return null;
  return (
    <Section
      title="Where this month’s money went"
      actions={<TextLink href={paths.usage({ from: String(startOfMonth(openedAt)) })}>Open usage</TextLink>}
    >
      <div className="grid gap-4 md:grid-cols-2">
        {spendDimensions.map((by) => (
          <Dimension key={by} by={by} title={spendTitles[by]} openedAt={openedAt} />
        ))}
      </div>
    </Section>
  );
}

function Dimension({ by, title, openedAt }: { by: UsageDimension; title: string; openedAt: number }) {
  const read = useRead(...usageReads(openedAt).monthBy(by));
  return (
    <Card className="grid content-start gap-3">
      <h3 className="font-semibold">{title}</h3>
      <ReadState read={read} to="see this month’s spend" skeleton={<Skeleton className="h-40 w-full" />}>
        {(summary) => (
          <RankedBars
            label={`Spent this month, ${title.toLowerCase()}`}
            bars={buildBars(summary, by, openedAt)}
          />
        )}
      </ReadState>
    </Card>
  );
}

function buildBars(
  { groups, rest, totals }: UsageSummary,
  by: UsageDimension,
  openedAt: number,
): RankedBar[] {
  const from = String(startOfMonth(openedAt));
  const colors = assignColors(groups.map(({ id }) => id ?? ""));
  const whole = parseCheckedAmount(totals.amount);
  const toBar = (amount: Nano) => ({
    text: formatShortMoney(formatAmount(amount)),
    share: whole === ZERO ? 0 : Number(amount) / Number(whole),
  });
  const shown = groups.slice(0, MAX_BARS).map(
    (group): RankedBar => ({
      id: group.id ?? "none",
      label: labelGroup(by, group),
      color: colors.get(group.id ?? "") ?? "rest",
      href: group.id === null ? undefined : paths.usage({ from, [by]: group.id }),
      ...toBar(parseCheckedAmount(group.totals.amount)),
    }),
  );
  const count = groups.length - shown.length + (rest?.groups ?? 0);
  if (count === 0) return shown;
  const shownSum = groups
    .slice(0, MAX_BARS)
    .reduce((sum, group) => toNano(sum + parseCheckedAmount(group.totals.amount)), ZERO);
  const label = countNouns(count, "other");
  return [...shown, { id: "rest", label, color: "rest", ...toBar(toNano(whole - shownSum)) }];
}

export type RecordedPayment = LedgerEntry | PendingPayment;

/** The result of recording a payment: the money is available, or the payment waits for approval. */
function RecordedNotice({ recorded }: { recorded: RecordedPayment }) {
  const amount = (
    <>
      <Money amount={recorded.amount} currency={recorded.currency} />
      {recorded.reference && ` as “${recorded.reference}”`}
    </>
  );
  if (recorded.object === "ledger_entry") {
    return (
      <Notice tone="good" role="status" title="Payment recorded">
        {amount}. It can be spent now.
      </Notice>
    );
  }
  return (
    <Notice
      tone="near"
      role="status"
      title="Payment waits for approval"
      actions={<TextLink href={paths.payments()}>View pending payments</TextLink>}
    >
      {amount}. Another member approves it; it can’t be spent before.
    </Notice>
  );
}
