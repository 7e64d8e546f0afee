/** The changes of a model's prices to come; a model has at most twenty. */
export function scheduledPricesRead(modelId: string) {
  return ["listScheduledPrices", { model_id: modelId, limit: "20" }] as const;
}

/** The latest changes of a model, of which those of its prices are shown. */
export function priceHistoryRead(modelId: string) {
  return ["listAuditLogs", { resource_ids: modelId, limit: "100" }] as const;
}
