"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { buildReadKey } from "@/lib/console/reads/reads";
import { scheduledPricesRead } from "./price-reads";

const POLL_MS = 5_000;

/** A model's scheduled prices. When one takes effect, the model and its price history are read again too. */
export function useRefreshedPrices(modelId: string) {
  const queryClient = useQueryClient();
  const [id, parameters] = scheduledPricesRead(modelId);
  const known = useRef<readonly string[]>([]);
  const scheduled = useRead(id, parameters, { refetchInterval: POLL_MS });
  const { data } = scheduled;
  useEffect(() => {
    if (!data) return;
    const ids = data.data.map((price) => price.id);
    const isOneGone = known.current.some((one) => !ids.includes(one));
    known.current = ids;
    if (!isOneGone) return;
    for (const read of ["listOrganizationModels", "listAuditLogs"] as const) {
      void queryClient.invalidateQueries({ queryKey: buildReadKey(read) });
    }
  }, [data, queryClient]);
  return scheduled;
}
