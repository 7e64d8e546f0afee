import { ListLoading } from "@/components/ui/states/page-loading";

export default function Loading() {
  return <ListLoading rows={6} columns={4} />;
}
