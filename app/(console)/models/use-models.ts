"use client";

import { modelReads } from "@/app/model-choice/model-reads";
import { useRead } from "@/app/queries/reads/use-read";

export function useModels() {
  return useRead(...modelReads.models);
}

export function useProviders() {
  return useRead(...modelReads.providers);
}
