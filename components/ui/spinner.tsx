import { Ellipsis, LoaderCircle } from "lucide-react";

/** Work under way. Where motion is reduced, an ellipsis says so: a circle that stands still looks like a broken one. */
export function Spinner({ className = "size-4" }: { className?: string }) {
  return (
    <>
      <LoaderCircle aria-hidden className={`animate-spin motion-reduce:hidden ${className}`} />
      <Ellipsis aria-hidden className={`motion-safe:hidden ${className}`} />
    </>
  );
}
