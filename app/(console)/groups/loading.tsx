import { ListLoading } from "@/components/ui/states/page-loading";

export default function GroupsLoading() {
  return <ListLoading rows={4} columns={4} />;
}
