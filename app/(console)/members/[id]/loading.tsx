import { MemberSkeleton } from "../member-skeleton";

export default function Loading() {
  return <MemberSkeleton />;
}
