import { FormSkeleton, PageHeadSkeleton, Skeleton } from "@/components/ui/skeleton";
import { PlaygroundFrame } from "./playground-frame";

export function PlaygroundSkeleton() {
  return (
    <>
      <PageHeadSkeleton />
      <PlaygroundFrame
        settings={
          <>
            <div className="max-lg:hidden">
              <FormSkeleton fields={4} />
            </div>
            <Skeleton className="h-11 w-full lg:hidden" />
          </>
        }
        composer={<Skeleton className="h-24 w-full" />}
      >
        <div className="grid max-w-[560px] gap-3">
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </div>
      </PlaygroundFrame>
    </>
  );
}
