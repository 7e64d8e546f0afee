import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/ui/states/skeleton";
import { MemberListSkeleton } from "./member-skeletons";

export default function MembersLoading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <MemberListSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
