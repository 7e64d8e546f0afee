import { useId } from "react";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links/link-button";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { formatShortAmount } from "@/components/ui/values/write-figures";
import { startOfMonth } from "@/components/usage/start-of-month";
import { paths } from "@/lib/console/paths";
import { DAY_S } from "@/lib/contract/durations";
import { type Nano, parseCheckedAmount, ZERO } from "@/lib/money/amount";
import { computeDaysCovered, computePaymentToLast } from "@/lib/money/daily-cost";

type BalanceLastsProps = {
  /** The available balance, or the payment if the person can't see the balance. */
  funds: { amount: string; isBalance: boolean };
  costPerDay: Nano;
  /** How long the balance lasts at the pace of the last days, in words; null for calls that were typed. */
  lasting: { headline: string; explanation: string } | null;
  currency: string | undefined;
  /** A date such as 2026-12-31, as in the address. */
  until: string | null;
  setUntil: (date: string) => void;
  canPay: boolean;
  /** Unix seconds. */
  now: number;
};

/** How long the balance lasts at the daily cost, and the payment needed to last until a date (UTC). */
export function BalanceLasts(props: BalanceLastsProps) {
  const { funds, costPerDay, lasting, currency, until, setUntil, canPay, now } = props;
  const id = useId();
  const available = parseCheckedAmount(funds.amount);
  const days = computeDaysCovered(available, costPerDay);
  const date = until ?? endOfNextMonth(now);
  const needed = daysUntil(date, now);
  const payment = needed === null ? null : computePaymentToLast(needed, costPerDay, available);
  const what = funds.isBalance ? "the balance" : "the payment";
  return (
    <Card className="grid content-start gap-3">
      <h2 className="text-lg font-semibold">{lasting?.headline ?? describeDays(what, days)}</h2>
      {lasting ? (
        <p className="text-muted">{lasting.explanation}</p>
      ) : (
        <p className="text-muted">
          {formatShortAmount(available)} {currency} at {formatShortAmount(costPerDay)} a day
          {days !== null && days < 3_650 && <>, until {describeDate(now + days * DAY_S)} (UTC)</>}.
        </p>
      )}
      {days !== null && available > ZERO && <Slope days={days} />}
      <div className="flex flex-wrap items-center justify-between gap-2 border-t pt-3">
        <label htmlFor={id} className="text-muted">
          To last until
        </label>
        <input
          id={id}
          type="date"
          className="field h-9 w-40 pointer-coarse:h-11"
          value={date}
          onChange={({ target }) => setUntil(target.value)}
        />
      </div>
      <p role="status" className="flex flex-wrap items-baseline justify-between gap-2">
        {payment === null ? (
          <span className="text-danger">Choose a day from today on.</span>
        ) : payment === ZERO ? (
          <span>No payment is needed until then.</span>
        ) : (
          <>
            <span className="text-muted">
              Pay for {needed} {needed === 1 ? "day" : "days"}
            </span>
            <span className="font-semibold">
              <RoundedMoney amount={payment} currency={currency} />
            </span>
          </>
        )}
      </p>
      {canPay && funds.isBalance && (
        <LinkButton
          variant="primary"
          className="justify-self-start"
          href={paths.balance({ open: "new-payment" })}
        >
          Record payment
        </LinkButton>
      )}
    </Card>
  );
}

function describeDays(what: string, days: number | null): string {
  const subject = `With these calls, ${what}`;
  if (days === null) return `${subject} does not fall: a day costs nothing`;
  if (days > 3_650) return `${subject} lasts more than ten years`;
  if (days < 1) return `${subject} lasts less than a day`;
  const whole = Math.floor(days);
  return `${subject} lasts ${formatCount(whole)} ${whole === 1 ? "day" : "days"}`;
}

const describeDate = (at: number) =>
  new Date(at * 1000)
    .toLocaleDateString("en-GB", {
      weekday: "short",
      day: "numeric",
      month: "long",
      year: "numeric",
      timeZone: "UTC",
    })
    .replace(",", "");

/** Returns the last day of next month, such as 2026-12-31. */
export function endOfNextMonth(now: number): string {
  return new Date((startOfMonth(now, 2) - DAY_S) * 1000).toISOString().slice(0, 10);
}

/**
 * Counts the days from today to a date, including both. Null if the date is invalid, past or over a hundred years away.
 */
export function daysUntil(date: string, now: number): number | null {
  const end = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) / 1000 : Number.NaN;
  const days = Math.round((end - (now - (now % DAY_S))) / DAY_S) + 1;
  return days >= 1 && days <= 36_525 ? days : null;
}

function describeTime(days: number): string {
  const [count, unit] = days < 1 ? [Math.floor(days * 24), "hour"] : [Math.floor(days), "day"];
  if (count < 1) return "less than an hour";
  if (days > 3_650) return "more than ten years";
  return countNouns(count, unit);
}

/** Draws the balance falling to zero over the time it lasts. */
function Slope({ days }: { days: number }) {
  return (
    <figure aria-hidden className="grid gap-1">
      <svg viewBox="0 0 100 32" preserveAspectRatio="none" className="h-16 w-full">
        <path d="M0,1 L84,31 L0,31 Z" className="fill-accent opacity-10" />
        <path d="M0,31 L100,31" className="stroke-border" vectorEffect="non-scaling-stroke" />
        <path
          d="M0,1 L84,31"
          fill="none"
          strokeWidth={2}
          className="stroke-accent"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="flex justify-between text-sm text-muted">
        <span>now</span>
        <span className="mr-[12%]">{describeTime(days)}</span>
      </figcaption>
    </figure>
  );
}
