import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { KeyListSkeleton } from "./key-list-skeleton";

export default function KeysLoading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <KeyListSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
