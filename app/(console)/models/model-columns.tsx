import { ArrowRight } from "lucide-react";
import { explainUncallable, formatWorth, sourceWords } from "@/components/models/describe-model";
import { SandboxBadge } from "@/components/models/sandbox-badge";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { Money } from "@/components/ui/values/money";
import { Quantity } from "@/components/ui/values/quantity";
import type { OrganizationModel, UnitPrice } from "@/lib/contract/operations/models/models";

/** The columns of the list. Amounts are in the organization's currency, named in the column heads. */
export function modelColumns(currency: string): readonly Column<OrganizationModel>[] {
  return [
    {
      id: "model",
      header: "Model",
      sortValue: ({ id }) => id,
      cell: (model) => <MarkedModel model={model} />,
    },
    {
      id: "family",
      header: "Family",
      width: "w-24",
      wide: true,
      phone: "end",
      sortValue: ({ family }) => family,
      cell: ({ family }) => <span className="text-muted">{family}</span>,
    },
    {
      id: "source",
      header: "Source",
      width: "w-28",
      wide: true,
      phone: "hidden",
      sortValue: ({ source }) => sourceWords[source],
      cell: ({ source }) => <span className="whitespace-nowrap text-muted">{sourceWords[source]}</span>,
    },
    priceColumn("input_per_1m", "Price in", currency),
    priceColumn("output_per_1m", "Price out", currency),
    {
      id: "rate",
      header: "Model rate",
      apiName: "rate",
      numeric: true,
      sortValue: ({ rate }) => Number(rate),
      cell: ({ rate, batch_rate }) => <Rates rate={rate} batchRate={batch_rate} />,
    },
    {
      id: "worth",
      header: "1.00 is worth",
      unit: currency,
      unitBelow: true,
      numeric: true,
      sortValue: (model) => Number(formatWorth(model)),
      cell: (model) => <Money amount={formatWorth(model)} />,
    },
    {
      id: "routes",
      header: "Routes",
      apiName: "routes",
      width: "w-40 @min-[68rem]:w-52",
      phone: "hidden",
      cell: (model) => <Routes routes={model.routes} />,
    },
    {
      id: "max_output_tokens",
      header: "Max output",
      apiName: "max_output_tokens",
      numeric: true,
      wide: true,
      phone: "hidden",
      sortValue: ({ family, max_output_tokens }) => (family === "chat" ? max_output_tokens : null),
      cell: ({ family, max_output_tokens }) =>
        family === "chat" ? <Quantity value={max_output_tokens} none="not set" /> : null,
    },
  ];
}

function MarkedModel({ model }: { model: OrganizationModel }) {
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2 gap-y-1">
      <span className="max-w-72 font-mono text-sm break-words">{model.id}</span>
      {explainUncallable(model) && <NotCallable />}
    </span>
  );
}

type RatesProps = { rate: string; batchRate: string | null };

/** A model's rate, and below it the rate of batch lines if they have one of their own. */
function Rates({ rate, batchRate }: RatesProps) {
  if (batchRate === null) return <Money amount={rate} />;
  return (
    <span className="grid justify-items-end">
      <Money amount={rate} />
      <span className="text-sm whitespace-nowrap text-muted">
        batch <Money amount={batchRate} />
      </span>
    </span>
  );
}

/** A price of tokens, and below it that of tokens of audio if they have one of their own. */
function TokenPrice({ price, audio }: { price: string; audio: string | null }) {
  if (audio === null) return <Money amount={price} />;
  return (
    <span className="grid justify-items-end">
      <Money amount={price} />
      <span className="text-sm whitespace-nowrap text-muted">
        audio <Money amount={audio} />
      </span>
    </span>
  );
}

function priceColumn(
  field: "input_per_1m" | "output_per_1m",
  header: string,
  currency: string,
): Column<OrganizationModel> {
  return {
    id: field,
    header,
    unit: `${currency}/1M`,
    unitBelow: true,
    apiName: field,
    numeric: true,
    sortValue: ({ price }) => (price ? Number(price[field]) : null),
    cell: ({ price, unit_price, audio_price }) => {
      if (price) return <TokenPrice price={price[field]} audio={audio_price?.[field] ?? null} />;
      // Models priced by the unit don't charge for input.
      if (unit_price) return field === "output_per_1m" ? <UnitPriceText price={unit_price} /> : null;
      return <span className="text-muted">no price</span>;
    },
  };
}

function UnitPriceText({ price: { unit, amount } }: { price: UnitPrice }) {
  return (
    <span className="whitespace-nowrap">
      <Money amount={amount} /> <span className="text-muted">/ {unit}</span>
    </span>
  );
}

/** A model's routes, in the order in which they are tried. */
export function Routes({ routes }: Pick<OrganizationModel, "routes">) {
  return (
    <span className="grid gap-0.5">
      {routes.map(({ provider, model }) => (
        <span
          key={`${provider}:${model}`}
          className="inline-flex max-w-64 flex-wrap items-center gap-x-1 font-mono text-sm break-words text-muted"
        >
          {provider}
          <ArrowRight aria-label="answers as" className="size-3.5 shrink-0" />
          {model}
        </span>
      ))}
    </span>
  );
}

/** Badges for sandbox models and for models that can't be called. */
export function ModelMarks({ model }: { model: OrganizationModel }) {
  return (
    <>
      {model.sandbox && <SandboxBadge />}
      {explainUncallable(model) && <NotCallable />}
    </>
  );
}

const NotCallable = () => <Status tone="near">not callable</Status>;
