import { FormSkeleton, Skeleton } from "@/components/ui/states/skeleton";
import { PlaygroundFrame } from "./playground-frame";

export function PlaygroundSkeleton() {
  return (
    <PlaygroundFrame
      rail={
        <div className="px-4 py-4">
          <FormSkeleton fields={4} />
        </div>
      }
      divider={<div className="w-px bg-border max-lg:hidden" />}
    >
      <div className="h-11 shrink-0 border-b" />
      <div className="h-11 shrink-0 border-b px-3 py-2.5">
        <Skeleton className="h-5 w-40" />
      </div>
      <div className="grid min-h-0 max-w-[560px] flex-1 content-start gap-3 p-4">
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-9 w-full" />
      </div>
      <div className="border-t p-4">
        <Skeleton className="h-24 w-full" />
      </div>
    </PlaygroundFrame>
  );
}
