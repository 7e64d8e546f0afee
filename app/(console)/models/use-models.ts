"use client";

import { modelReads } from "@/app/model-choice/model-reads";
import { useRead } from "@/app/queries/use-read";

const [[, modelParameters], [, providerParameters]] = modelReads;

export function useModels() {
  return useRead("listOrganizationModels", modelParameters);
}

export function useProviders() {
  return useRead("listProviders", providerParameters);
}
