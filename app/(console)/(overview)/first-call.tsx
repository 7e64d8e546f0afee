"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { BaseAddress } from "./base-address";
import { exampleModels } from "./overview-reads";

/** The base address, with an example call of the first model that isn't the sandbox's, if there is one. */
export function FirstCall({ baseUrl }: { baseUrl: string }) {
  const [real, any] = [useRead(...exampleModels.real), useRead(...exampleModels.any)];
  const isRead = !real.isPending && !any.isPending;
  // An unread list of real models leaves open whether there are any.
  const model = real.data?.data[0] ?? (real.data && any.data?.data[0]);
  return <BaseAddress baseUrl={baseUrl} model={isRead ? (model?.id ?? null) : undefined} />;
}
