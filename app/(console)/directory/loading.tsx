import { ListLoading } from "@/components/ui/states/page-loading";

export default function DirectoryLoading() {
  return <ListLoading rows={3} columns={5} />;
}
