import { classNames } from "@/components/ui/class-names";

/** A gray placeholder. Give it the size of the final content. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames(
        "block animate-[shimmer_1.6s_ease-in-out_infinite] rounded-sm bg-default",
        className ?? "h-4 w-24",
      )}
    />
  );
}

/** Announces once to assistive technology that the page is loading. Goes next to the skeletons. */
export function LoadingLabel({ children = "Loading" }: { children?: string }) {
  return (
    <span role="status" className="sr-only">
      {children}
    </span>
  );
}

/** Placeholder for the head, filters and rows of a list screen. */
export function TableSkeleton({ rows = 8, columns = 4 }: { rows?: number; columns?: number }) {
  return (
    <div className="rounded-md border bg-surface">
      <LoadingLabel />
      {Array.from({ length: rows + 1 }, (_, row) => (
        <div key={row} className="flex h-9 items-center gap-6 border-b px-3 last:border-b-0">
          {Array.from({ length: columns }, (_, column) => (
            <Skeleton
              key={column}
              className={classNames(
                "h-3",
                column === 0 ? "w-40" : "w-20",
                column > 1 && "max-sm:hidden",
                column === columns - 1 && "ml-auto",
              )}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Placeholder for the fields of a form, with their real height. */
export function FormSkeleton({ fields = 4 }: { fields?: number }) {
  return (
    <div className="grid max-w-[560px] gap-5">
      <LoadingLabel />
      {Array.from({ length: fields }, (_, field) => (
        <div key={field} className="grid gap-1.5">
          <Skeleton className="my-0.5 h-4 w-32" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="my-0.5 h-3 w-64" />
        </div>
      ))}
    </div>
  );
}

export function PageHeadSkeleton() {
  return (
    <div className="mb-6">
      <Skeleton className="my-1 h-5 w-40" />
      <Skeleton className="mt-2 h-4 w-80 max-w-full" />
    </div>
  );
}
