import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";
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
