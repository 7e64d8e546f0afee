import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { Statement } from "@/lib/contract/operations/money/statements";
import { type Nano, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import type { InvoiceRow } from "./parse-invoice";

/** A provider's invoiced amount for one of its models, and our charges for the models routed to it. */
export interface ComparedModel {
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
