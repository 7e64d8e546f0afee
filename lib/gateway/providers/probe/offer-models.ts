import type { ModelOffer, OfferedModel } from "@/lib/contract/operations/models/provider-tests";
import { fitsPath } from "@/lib/contract/path-segment";
import {
  divideRounded,
  formatAmount,
  type Nano,
  parseAmount,
  parseCheckedAmount,
  toNano,
} from "@/lib/money/amount";
import type { Catalogue, CatalogueModel } from "../../models/catalogue";
import {
  CATALOGUE_DATE,
  LIST_CURRENCY,
  type ListPrice,
  type ServiceCatalogue,
} from "../../models/price-catalogue";
import { type ListedModel, toPer1m } from "./listed-models";

interface OfferContext {
  readonly catalogue: Pick<Catalogue, "find" | "list">;
  /** The provider's id; null where it isn't saved yet. */
  readonly provider: string | null;
  /** The id that it has, or is likely to get. */
  readonly newId: string;
  readonly service: ServiceCatalogue;
  /** The currency of prices here. */
  readonly currency: string;
  readonly exchangeRate: string | null;
}

/** A provider's list of models, with what is known of each: list price, window, and whether it is here already. */
export function offerModels(
  { models, hasMore }: { readonly models: readonly ListedModel[]; readonly hasMore: boolean },
  context: OfferContext,
): ModelOffer {
  const known = models.map((model) => context.service.find(model.name, model.family));
  const idByName = new Map(models.map(({ name }, index) => [name, known[index]?.id]));
  const here = findImported(context);
  const suggested = new Set<string>();
  return {
    data: models.map((model, index): OfferedModel => {
      const entry = known[index] ?? null;
      const own = toOwnPrice(model);
      const price = own ?? entry;
      const imported = here.get(model.name);
      const suggestedId = suggestId(model.name, context, suggested);
      suggested.add(suggestedId);
      return {
        model: model.name,
        suggested_id: suggestedId,
        family: model.family,
        context_window: model.contextWindow ?? entry?.contextWindow ?? null,
        max_output_tokens: model.maxOutputTokens,
        input_modalities: model.inputModalities && [...model.inputModalities],
        ...convert(price, context),
        price_source: price && canConvert(context) ? (own ? "provider" : "catalogue") : null,
        imported: imported ? { id: imported.id, rate: formatAmount(imported.rate) } : null,
        unusable: model.unusable ?? findNewer(model.name, idByName),
      };
    }),
    has_more: hasMore,
    catalogue_date: CATALOGUE_DATE,
    list_currency: LIST_CURRENCY,
    exchange_rate: context.exchangeRate,
  };
}

/** A dated version whose own name without the date is listed, too: both have one price, and one of them is enough. */
function findNewer(name: string, idByName: ReadonlyMap<string, string | undefined>): string | null {
  const id = idByName.get(name);
  const plain = name.replace(/[-@]?(\d{4}-\d{2}-\d{2}|\d{8}|\d{4})$/, "");
  if (plain === name || id === undefined || idByName.get(plain) !== id) return null;
  return `is a version of ${plain}, which is listed, too`;
}

function findImported({ catalogue, provider }: OfferContext): Map<string, CatalogueModel> {
  if (provider === null) return new Map();
  const routed = catalogue
    .list()
    .flatMap((model) =>
      model.routes
        .filter((route) => route.provider === provider)
        .map((route) => [route.model, model] as const),
    );
  return new Map(routed);
}

/** The id that a model can have here. */
function suggestId(name: string, { catalogue, newId }: OfferContext, taken: ReadonlySet<string>): string {
  const plain = name.replace(/^models\//, "").replaceAll(" ", "-");
  const candidates = [plain, `${newId}/${plain}`];
  for (let number = 2; number <= 9; number++) candidates.push(`${plain}-${number}`);
  const isFree = (id: string) => fitsPath(id) && id.length <= 200 && !catalogue.find(id) && !taken.has(id);
  return candidates.find(isFree) ?? "";
}

/** The price that the provider's own list tells. */
function toOwnPrice({ perToken, family }: ListedModel): ListPrice | null {
  if (!perToken || !["chat", "embedding", "moderation"].includes(family)) return null;
  const [input, output] = [toPer1m(perToken.prompt), toPer1m(perToken.completion)];
  if (input === null || (output === null && family === "chat")) return null;
  const [read, written] = [toPer1m(perToken.input_cache_read), toPer1m(perToken.input_cache_write)];
  const classes = family === "chat" && {
    ...(read !== null && { cached_input_per_1m: read }),
    ...(written !== null && { cache_write_5m_per_1m: written }),
  };
  const price = { input_per_1m: input, ...(output !== null && { output_per_1m: output }), ...classes };
  return { price, unit_price: null, audio_price: null };
}

const canConvert = ({ currency, exchangeRate }: OfferContext) =>
  exchangeRate !== null || currency === LIST_CURRENCY;

/** A list price in the currency of prices here; none without an exchange rate where that is another one. */
function convert(listed: ListPrice | null, context: OfferContext): ListPrice {
  const none = { price: null, unit_price: null, audio_price: null };
  if (!listed || !canConvert(context)) return none;
  const { price, unit_price, audio_price } = listed;
  const { exchangeRate } = context;
  if (exchangeRate === null) return { price, unit_price, audio_price };
  return convertPrice(parseCheckedAmount(exchangeRate))({ price, unit_price, audio_price });
}

/** Converts list prices into another currency. */
export function convertPrice(rate: Nano): (listed: ListPrice) => ListPrice {
  return ({ price, unit_price, audio_price }) => convertAmounts({ price, unit_price, audio_price }, rate);
}

/** Every text of a price is an amount, but the unit's name. */
function convertAmounts<Value>(value: Value, rate: Nano): Value {
  if (typeof value === "string") {
    const amount = parseAmount(value);
    return (
      amount === null ? value : formatAmount(toNano(divideRounded(amount * rate, 1_000_000_000n)))
    ) as Value;
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, convertAmounts(inner, rate)]);
  return Object.fromEntries(fields) as Value;
}
