import { ListLoading } from "@/components/ui/states/page-loading";

export default function AdminKeysLoading() {
  return <ListLoading rows={4} columns={6} />;
}
