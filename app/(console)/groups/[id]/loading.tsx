import { GroupSkeleton } from "../group-skeleton";

export default function GroupLoading() {
  return <GroupSkeleton />;
}
