import { groupDigits, trimDecimal } from "./group-digits";
import { Money } from "./money";

/** How many characters fit into the width of a container, if their font size is 1 % of it. */
const CHARACTERS_PER_WIDTH = 160;

/** The amount that a card is about. An exact amount can have many decimals, so a long one is set smaller, to stay in its card. */
export function LargeMoney({ amount, currency }: { amount: string; currency: string }) {
  const characters = `${groupDigits(trimDecimal(amount))} ${currency}`.length;
  const widthShare = (CHARACTERS_PER_WIDTH / characters).toFixed(1);
  return (
    <span className="@container block">
      <span style={{ fontSize: `clamp(0.875rem, ${widthShare}cqi, 1.5rem)` }}>
        <Money amount={amount} currency={currency} />
      </span>
    </span>
  );
}
