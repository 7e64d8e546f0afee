import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { RoleListSkeleton } from "./role-list-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <RoleListSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
