import { TableSkeleton } from "@/components/ui/skeleton";

export function ProjectListSkeleton() {
  return <TableSkeleton rows={4} columns={5} />;
}
