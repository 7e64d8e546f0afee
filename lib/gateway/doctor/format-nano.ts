import { formatAmount, toNano } from "@/lib/money/amount";

/** Writes nano-units, as stored, as a decimal string with at least two decimals. */
export const formatNano = (amount: bigint) => formatAmount(toNano(amount));
