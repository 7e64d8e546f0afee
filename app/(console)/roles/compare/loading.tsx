import { RoleListSkeleton } from "@/app/(console)/roles/role-skeletons";
import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/ui/states/skeleton";

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
