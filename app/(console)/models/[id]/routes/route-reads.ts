export function routesRead(modelId: string) {
  return ["retrieveModelRoutes", { model_id: modelId }] as const;
}

export function routeActivityRead(modelId: string) {
  return ["retrieveModelRouteActivity", { model_id: modelId }] as const;
}
