import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { RoleListSkeleton } from "./role-list-skeleton";

export default function Loading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <RoleListSkeleton />
    </Page>
  );
}
