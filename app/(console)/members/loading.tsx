import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
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
