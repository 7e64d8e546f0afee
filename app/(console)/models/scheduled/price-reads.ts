/** Returns the read of a model's scheduled price changes, at most twenty. */
export function scheduledPricesRead(modelId: string) {
  return ["listScheduledPrices", { model_id: modelId, limit: "20" }] as const;
}

/** Returns the read of a model's latest audit events. Only price changes are shown. */
export function priceHistoryRead(modelId: string) {
  return ["listAuditLogs", { resource_ids: modelId, limit: "100" }] as const;
}
