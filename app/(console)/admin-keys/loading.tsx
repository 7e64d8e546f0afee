import { ListLoading } from "@/components/ui/states/skeleton";

export default function AdminKeysLoading() {
  return <ListLoading rows={4} columns={6} />;
}
