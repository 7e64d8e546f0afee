import { ListLoading } from "@/components/ui/states/skeleton";

export default function GroupsLoading() {
  return <ListLoading rows={4} columns={4} />;
}
