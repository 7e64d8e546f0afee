import { RoleSkeleton } from "../role-skeleton";

export default function Loading() {
  return <RoleSkeleton />;
}
