import type { ModelPrice, ModelPriceDraft, UnitPrice } from "@/lib/contract/operations/models/models";
import type { ClassFieldName } from "./price-fields";

/** The typed prices of classes; empty for none. */
export type TypedClasses = Record<ClassFieldName, string>;

const noClasses: TypedClasses = {
  cached_input: "",
  cache_write_5m: "",
  cache_write_1h: "",
  long_from: "",
  long_input: "",
  long_output: "",
  long_cached_input: "",
  long_cache_write_5m: "",
  long_cache_write_1h: "",
  priority_rate: "",
};

export function toTypedClasses(saved: ModelPrice | null): TypedClasses {
  if (!saved) return noClasses;
  const { long_context: long = {}, long_context_from: from } = saved;
  return {
    cached_input: saved.cached_input_per_1m ?? "",
    cache_write_5m: saved.cache_write_5m_per_1m ?? "",
    cache_write_1h: saved.cache_write_1h_per_1m ?? "",
    long_from: from === undefined ? "" : String(from),
    long_input: long.input_per_1m ?? "",
    long_output: long.output_per_1m ?? "",
    long_cached_input: long.cached_input_per_1m ?? "",
    long_cache_write_5m: long.cache_write_5m_per_1m ?? "",
    long_cache_write_1h: long.cache_write_1h_per_1m ?? "",
    priority_rate: saved.priority_rate ?? "",
  };
}

/** The classes of a price by tokens as they are sent, with the saved prices of tools, which have no field. */
export function toClassPrices(
  typed: Partial<TypedClasses>,
  saved: Pick<ModelPriceDraft, "tools"> = {},
): Omit<ModelPriceDraft, "input_per_1m" | "output_per_1m"> {
  const { long_from: from } = typed;
  const text = (name: ClassFieldName, field: string) => (typed[name] ? { [field]: typed[name] } : {});
  return {
    ...text("cached_input", "cached_input_per_1m"),
    ...text("cache_write_5m", "cache_write_5m_per_1m"),
    ...text("cache_write_1h", "cache_write_1h_per_1m"),
    ...(from && {
      long_context_from: Number(from),
      long_context: {
        ...text("long_input", "input_per_1m"),
        ...text("long_output", "output_per_1m"),
        ...text("long_cached_input", "cached_input_per_1m"),
        ...text("long_cache_write_5m", "cache_write_5m_per_1m"),
        ...text("long_cache_write_1h", "cache_write_1h_per_1m"),
      },
    }),
    ...text("priority_rate", "priority_rate"),
    ...(saved.tools && { tools: saved.tools }),
  };
}

/** Returns the prices of a unit price's other qualities, such as "hd 0.08 USD"; empty if there are none. */
export function describeQualities(price: UnitPrice | null, currency: string): string {
  const priced = Object.entries(price?.qualities ?? {});
  return priced.map(([quality, amount]) => `${quality} ${amount} ${currency}`).join(", ");
}
