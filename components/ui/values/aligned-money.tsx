import { countPlaces } from "./group-digits";
import { Money } from "./money";

type AlignedMoneyProps = {
  amount: string;
  /** All amounts of the column. Its head names their currency. */
  column: readonly string[];
};

/** An amount of a column. The digits that it lacks are laid out unseen, so that the points are aligned. */
export function AlignedMoney({ amount, column }: AlignedMoneyProps) {
  const places = Math.max(...[amount, ...column].map(countPlaces));
  return (
    <span className="whitespace-nowrap" data-missing-places={"0".repeat(places - countPlaces(amount))}>
      <Money amount={amount} />
    </span>
  );
}
