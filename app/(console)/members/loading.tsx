import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";
import { MemberListSkeleton } from "./member-list-skeleton";

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
