import { TableSkeleton } from "@/components/states/skeleton";

export function ProjectListSkeleton() {
  return <TableSkeleton rows={4} columns={5} />;
}
