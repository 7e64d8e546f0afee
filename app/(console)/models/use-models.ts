"use client";

import { useRead } from "@/app/queries/use-read";
import { modelReads } from "./model-reads";

const [[, modelParameters], [, providerParameters]] = modelReads;

export function useModels() {
  return useRead("listOrganizationModels", modelParameters);
}

export function useProviders() {
  return useRead("listProviders", providerParameters);
}
