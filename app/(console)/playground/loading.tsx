import { Page } from "@/components/ui/page";
import { PlaygroundSkeleton } from "./playground-skeleton";

export default function PlaygroundLoading() {
  return (
    <Page>
      <PlaygroundSkeleton />
    </Page>
  );
}
