"use client";

import { FileQuestion } from "lucide-react";
import { ReadState, type ShownRead } from "@/app/queries/read-state";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import type { RequestReceipt } from "@/lib/contract/operations/requests";
import { ReceiptView } from "./receipt-view";

/** Shows a call's receipt, or the loading or error state of its read. */
export function ReceiptState({ id, read }: { id: string; read: ShownRead<RequestReceipt> }) {
  return (
    <ReadState read={read} to="see this call" skeleton={<ReceiptSkeleton />} missing={<NoReceipt id={id} />}>
      {(receipt) => <ReceiptView receipt={receipt} />}
    </ReadState>
  );
}

function NoReceipt({ id }: { id: string }) {
  return (
    <EmptyState icon={FileQuestion} title="There is no receipt of this call">
      There is no receipt for <code className="font-mono break-all">{id}</code>, or it is of a project whose
      calls you may not see. Only the first ten refusals per key and minute are stored; the others are only
      counted.
    </EmptyState>
  );
}

function ReceiptSkeleton() {
  return (
    <div className="grid gap-3">
      <LoadingLabel />
      <Skeleton className="h-6 w-28" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-64 w-full" />
      <Skeleton className="h-32 w-full" />
    </div>
  );
}
