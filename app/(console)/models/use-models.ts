"use client";

import { useRead } from "@/app/queries/use-read";
import { modelReads } from "./reads-of-models";

const [[, modelParameters], [, providerParameters]] = modelReads;

export function useModels() {
  return useRead("listOrganizationModels", modelParameters);
}

export function useProviders() {
  return useRead("listProviders", providerParameters);
}
