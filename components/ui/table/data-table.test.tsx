import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { Money } from "../values/money";
import type { Column } from "./column";
import { DataTable } from "./data-table";

type Row = { readonly id: string; readonly cost: string | null };

const columns: readonly Column<Row>[] = [
  { id: "id", header: "Call", cell: ({ id }) => id },
  {
    id: "cost",
    header: "Cost",
    numeric: true,
    amount: ({ cost }) => cost,
    cell: ({ cost }) => cost && <Money amount={cost} />,
  },
];

const missingIn = (rows: readonly Row[]) =>
  renderToStaticMarkup(<DataTable caption="Calls" columns={columns} rows={rows} rowId={({ id }) => id} />)
    .match(/data-missing-places="0*"/g)
    ?.map((match) => match.replace(/[^0]/g, "").length);

test("each amount of a column has as many places as the longest, shown or laid out unseen", () => {
  const rows = [
    { id: "a", cost: "2500" },
    { id: "b", cost: "-0.0000045" },
    { id: "c", cost: "0.120" },
    { id: "d", cost: null },
  ];
  // 2500.00, 0.0000045 and 0.12 have two, seven and two.
  expect(missingIn(rows)).toEqual([5, 0, 5, 5]);
  expect(missingIn(rows.filter(({ id }) => id !== "b"))).toEqual([0, 0, 0]);
});

test("the row that a drawer shows is marked, and no other", () => {
  const rows = [
    { id: "a", cost: null },
    { id: "b", cost: null },
  ];
  const draw = (openId?: string) =>
    renderToStaticMarkup(
      <DataTable
        caption="Calls"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        {...(openId !== undefined && { openId })}
      />,
    );
  const marked = (html: string) => html.match(/<tr[^>]*data-chosen[^>]*>.*?<\/tr>/g) ?? [];
  expect(marked(draw())).toEqual([]);
  expect(marked(draw(""))).toEqual([]);
  expect(marked(draw("b"))).toHaveLength(1);
  expect(marked(draw("b"))[0]).toContain(">b<");
});

test("the columns that a narrow space has no room for are named, and shown on demand", () => {
  const many: readonly Column<Row>[] = [
    ...columns,
    { id: "peak", header: "Peak", wide: true, cell: () => "7" },
    { id: "ip", header: "Address", wide: true, phone: "hidden", cell: () => "192.0.2.1" },
    { id: "about", header: "Description", phone: "note", cell: () => "A call" },
  ];
  const text = renderToStaticMarkup(
    <DataTable caption="Calls" columns={many} rows={[]} rowId={({ id }) => id} />,
  );
  expect(text).toMatch(/data-left-out="narrow"[^>]*><span[^>]*>Not shown: Peak, Address</);
  expect(text).toMatch(/data-left-out="listed"[^>]*><span[^>]*>Not shown: Address</);
  expect(text).toContain("Show these columns");
});
