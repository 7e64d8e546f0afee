import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { MemberListSkeleton } from "./member-list-skeleton";

export default function MembersLoading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <MemberListSkeleton />
    </Page>
  );
}
