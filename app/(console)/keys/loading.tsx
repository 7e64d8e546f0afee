import { KeyListSkeleton } from "@/app/project-keys/key-list-skeleton";
import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

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
