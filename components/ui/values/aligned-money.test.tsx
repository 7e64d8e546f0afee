import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { AlignedMoney } from "./aligned-money";

test("each amount of a column takes as many places as the longest", () => {
  const column = ["0.0040985", "-0.0000075", "0.004091", "2500"];
  const places = (amount: string) => {
    const html = renderToStaticMarkup(<AlignedMoney {...{ amount, column }} />);
    const [, hidden = ""] = /data-missing-places="(0*)"/.exec(html) ?? [];
    const [, shown = ""] = /\.(\d+)</.exec(html) ?? [];
    return (shown + hidden).length;
  };
  expect(column.map(places)).toEqual([7, 7, 7, 7]);
});
