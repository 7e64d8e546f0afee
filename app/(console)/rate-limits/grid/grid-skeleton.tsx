import { Skeleton } from "@/components/ui/states/skeleton";

const ROWS = 18;

/** The grid while it loads. */
export function GridSkeleton() {
  return (
    <div data-fills-window className="flex h-[calc(100dvh-var(--above))] flex-col">
      <div className="grid gap-3 px-6 py-4">
        <Skeleton className="h-7 w-80" />
        <Skeleton className="h-8 w-full max-w-3xl" />
      </div>
      <div className="grid flex-1 content-start border-t">
        {Array.from({ length: ROWS }, (_, row) => (
          <div key={row} className="flex h-[29px] items-center gap-6 border-b px-6">
            <Skeleton className="h-3.5 w-52" />
            <Skeleton className="h-3.5 flex-1" />
          </div>
        ))}
      </div>
    </div>
  );
}
