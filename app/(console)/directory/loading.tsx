import { ListLoading } from "@/components/ui/states/skeleton";

export default function DirectoryLoading() {
  return <ListLoading rows={3} columns={5} />;
}
