import { ListLoading } from "@/components/ui/states/skeleton";

export default function Loading() {
  return <ListLoading rows={6} columns={4} />;
}
