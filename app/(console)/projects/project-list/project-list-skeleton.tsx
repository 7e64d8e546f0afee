import { TableSkeleton } from "@/components/ui/states/skeleton";

export function ProjectListSkeleton() {
  return <TableSkeleton rows={4} columns={5} />;
}
