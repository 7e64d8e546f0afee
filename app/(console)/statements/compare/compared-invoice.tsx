"use client";

import { FileQuestion } from "lucide-react";
import { useMemo } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { monthName } from "@/components/ui/time/month-name";
import { countNouns, formatCount, groupDigits } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import type { CsvRow } from "@/lib/contract/csv";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { Statement } from "@/lib/contract/operations/money/statements";
import type { UnaccountedCosts } from "@/lib/contract/operations/money/unaccounted-costs";
import { formatAmount, type Nano, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import type { InvoiceRow } from "./parse-invoice";
import { type Invoice, type InvoiceMap, parseInvoice } from "./parse-invoice";

const MAX_LISTED = 20;

type ComparedInvoiceProps = {
  table: readonly CsvRow[];
  separator: string;
  map: InvoiceMap;
  statement: Statement;
};

/** Shows the differences once every row can be read. */
export function ComparedInvoice({ table, separator, map, statement }: ComparedInvoiceProps) {
  const { id: month, currency, lines } = statement;
  const models = useRead(...wholeList("listOrganizationModels")).data?.data;
  const { model, amount, date } = map;
  const invoice = useMemo(
    () => parseInvoice(table, { model, amount, date }, { month, currency, separator }),
    [table, separator, model, amount, date, month, currency],
  );
  if (invoice.faults.length > 0) return <Faults {...invoice} />;
  if (invoice.rows.length === 0) {
    return (
      <EmptyState icon={FileQuestion} title={`The invoice has no rows for ${monthName(month)}`}>
        Its rows are for other months. Choose its month, or another date column.
      </EmptyState>
    );
  }
  const rows = compareInvoice(invoice.rows, lines, models ?? []);
  return (
    <Section title={writeTitle(rows, currency)} description={describeExtent(invoice)}>
      <DataTable
        caption="Invoiced and charged, by model"
        columns={invoiceColumns(currency)}
        rows={rows}
        rowId={(row) => row.id}
      />
      <Unaccounted month={month} currency={currency} />
    </Section>
  );
}

/** Costs that providers may invoice besides the charges: failed attempts before the one that answered. */
function Unaccounted({ month, currency }: { month: string; currency: string }) {
  const costs = useRead("retrieveUnaccountedCosts", { month }).data?.data ?? [];
  if (costs.length === 0) return null;
  return (
    <Section
      title="Not accounted for"
      description="Attempts that failed before an answer, which nobody here was charged for. A provider may still have billed them: the amounts are estimates at list prices."
    >
      <DataTable
        caption="Attempts that a provider may have billed"
        columns={unaccountedColumns(currency)}
        rows={costs}
        rowId={({ provider, provider_model, model }) => `${provider} ${provider_model} ${model}`}
      />
    </Section>
  );
}

type UnaccountedCost = UnaccountedCosts["data"][number];

const unaccountedColumns = (currency: string): readonly Column<UnaccountedCost>[] => [
  {
    id: "model",
    header: "Model",
    phone: "title",
    cell: ({ provider, provider_model: name, model }) => (
      <>
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="block text-sm text-muted">
          at {provider}, here {model}
        </span>
      </>
    ),
  },
  {
    id: "attempts",
    header: "Attempts",
    numeric: true,
    cell: ({ attempts }) => formatCount(attempts),
  },
  {
    id: "amount",
    header: "Estimate",
    unit: currency,
    numeric: true,
    phone: "end",
    amount: ({ amount }) => amount,
    cell: ({ amount }) => <Money amount={amount} />,
  },
];

function Faults({ faults }: Invoice) {
  const rest = faults.length - MAX_LISTED;
  return (
    <Notice
      tone="bad"
      role="status"
      title={
        faults.length === 1 ? "1 cell can’t be read" : `${formatCount(faults.length)} cells can’t be read`
      }
    >
      <ul className="grid gap-1">
        {faults.slice(0, MAX_LISTED).map(({ line, column, message }) => (
          <li key={`${line} ${column}`}>
            Line {line}
            {column && `, ${column}`}: {message}
          </li>
        ))}
        {rest > 0 && <li>… and {rest} more.</li>}
      </ul>
    </Notice>
  );
}

function writeTitle(rows: readonly ComparedModel[], currency: string): string {
  const sum = rows.reduce((total, { difference }) => total + difference, 0n);
  if (rows.every(({ difference }) => difference === 0n)) return "Charged exactly what was invoiced";
  const amount = `${groupDigits(formatAmount(toNano(sum < 0n ? -sum : sum)))} ${currency}`;
  if (sum === 0n) return "The total matches the invoice, but not each model";
  return sum > 0n ? `Charged ${amount} more than was invoiced` : `Charged ${amount} less than was invoiced`;
}

function describeExtent({ rows, otherMonths, sums, rounded }: Invoice): string {
  return [
    `${countNouns(rows.length, "row")} compared.`,
    otherMonths > 0 && `${countNouns(otherMonths, "row")} of other months left out.`,
    sums > 0 && `${countNouns(sums, "row")} with a total left out.`,
    rounded > 0 && `${countNouns(rounded, "amount")} rounded to nine decimals.`,
    "A charge is list price × model rate, so it can differ from the provider’s price.",
  ]
    .filter(Boolean)
    .join(" ");
}

function invoiceColumns(currency: string): readonly Column<ComparedModel>[] {
  const amount = (
    id: "invoiced" | "charged" | "difference",
    header: string,
    more: Partial<Column<ComparedModel>> = {},
  ): Column<ComparedModel> => ({
    id,
    header,
    unit: currency,
    numeric: true,
    amount: (row) => formatAmount(row[id]),
    cell: (row) => <Money amount={formatAmount(row[id])} isSigned={id === "difference"} />,
    ...more,
  });
  return [
    {
      id: "model",
      header: "Model",
      phone: "title",
      cell: ({ id, models }) => (
        <>
          <span className="font-medium wrap-anywhere">{id}</span>
          {models.length > 0 && <span className="block text-sm text-muted">here {models.join(", ")}</span>}
        </>
      ),
    },
    amount("invoiced", "Invoiced"),
    amount("charged", "Charged"),
    amount("difference", "Difference", { phone: "end" }),
  ];
}

/** A provider's invoiced amount for one of its models, and our charges for the models routed to it. */
interface ComparedModel {
  readonly id: string;
  /** The names of the models here, if they differ from the invoice's. */
  readonly models: readonly string[];
  readonly invoiced: Nano;
  readonly charged: Nano;
  /** Charged − invoiced. */
  readonly difference: Nano;
}

type Routes = Pick<OrganizationModel, "id" | "routes">;

/**
 * Compares by the provider's model name from the routes, or else by our name. Models with the same name there share a
 * row. The largest differences come first.
 */
export function compareInvoice(
  rows: readonly InvoiceRow[],
  lines: Statement["lines"],
  models: readonly Routes[],
): ComparedModel[] {
  const invoiced = new Map<string, Nano>();
  const known = new Set([
    ...lines.map(({ model }) => model),
    ...models.flatMap(({ id, routes }) => [id, ...routes.map((route) => route.model)]),
  ]);
  for (const row of rows) {
    const name = nameKnown(row.model, known);
    invoiced.set(name, plus(invoiced.get(name), row.amount));
  }
  const charged = new Map<string, { amount: Nano; models: Set<string> }>();
  for (const { model, charges } of lines) {
    const name = nameOnInvoice(model, models, invoiced);
    const sum = charged.get(name) ?? { amount: ZERO, models: new Set() };
    sum.models.add(model);
    charged.set(name, { ...sum, amount: plus(sum.amount, parseCheckedAmount(charges)) });
  }
  return [...new Set([...invoiced.keys(), ...charged.keys()])]
    .map((id) => {
      const [cost, sum] = [invoiced.get(id) ?? ZERO, charged.get(id)];
      const amount = sum?.amount ?? ZERO;
      return {
        id,
        models: [...(sum?.models ?? [])].filter((model) => model !== id).toSorted(),
        invoiced: cost,
        charged: amount,
        difference: toNano(amount - cost),
      };
    })
    .toSorted((one, other) => compare(size(other), size(one)) || (one.id < other.id ? -1 : 1));
}

/**
 * Returns the known model that an invoice's item is of: `gpt-5-mini-2025-08-07, input` is `gpt-5-mini`. An item of no
 * known model keeps its text.
 */
function nameKnown(item: string, known: ReadonlySet<string>): string {
  const [name = item] = item.split(/,\s/, 1);
  const undated = name.replace(/[-@]\d{4}-?\d{2}-?\d{2}$/, "");
  return [item, name, undated].find((candidate) => known.has(candidate)) ?? item;
}

/**
 * Returns a model's name on the invoice: its own if the invoice has it, else the first of its routes' names that it
 * has.
 */
function nameOnInvoice(
  model: string,
  models: readonly Routes[],
  invoiced: ReadonlyMap<string, Nano>,
): string {
  if (invoiced.has(model)) return model;
  const routes = models.find(({ id }) => id === model)?.routes ?? [];
  return routes.find((route) => invoiced.has(route.model))?.model ?? model;
}

const plus = (one: Nano | undefined, other: Nano) => toNano((one ?? ZERO) + other);
const size = ({ difference }: ComparedModel) => (difference < 0n ? -difference : difference);
const compare = (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0);
