import { TableSkeleton } from "@/components/ui/skeleton";

export function KeyListSkeleton() {
  return <TableSkeleton rows={4} columns={5} />;
}
