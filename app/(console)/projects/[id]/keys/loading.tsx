import { KeyListSkeleton } from "@/components/keys/key-reads";
import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/ui/states/skeleton";

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
