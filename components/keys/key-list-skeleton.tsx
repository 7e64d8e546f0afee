import { TableSkeleton } from "@/components/ui/states/skeleton";

export function KeyListSkeleton() {
  return <TableSkeleton rows={4} columns={5} />;
}
