"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { formatCount } from "@/components/ui/values/group-digits";

/** Drawing more pixels than this takes gigabytes of memory, and can freeze or end the page. */
const MAX_PIXELS = 50_000_000;

type Size = { width: number; height: number };

/** A picture, drawn only once its size is known: what is invisible isn't decoded. A giant one is drawn on demand. */
export function Picture({ source, label }: { source: string; label: string }) {
  const [size, setSize] = useState<Size | null>(null);
  const [isForced, setIsForced] = useState(false);
  const measure = (image: HTMLImageElement | null) => {
    if (size || !image?.complete || image.naturalWidth === 0) return;
    setSize({ width: image.naturalWidth, height: image.naturalHeight });
  };
  if (size && !isForced && size.width * size.height > MAX_PIXELS) {
    return (
      <div className="grid justify-items-start gap-2 rounded-md border p-3 text-muted">
        <p>
          This picture has {formatCount(size.width)} × {formatCount(size.height)} pixels. Showing it takes
          much memory and can freeze the page.
        </p>
        <Button size="small" onClick={() => setIsForced(true)}>
          Show it anyway
        </Button>
      </div>
    );
  }
  return (
    // oxlint-disable-next-line nextjs/no-img-element -- Fetching it needs the session, and it must not be cached.
    <img
      ref={measure}
      src={source}
      alt={label}
      decoding="async"
      onLoad={(event) => measure(event.currentTarget)}
      // Shows the alternative text and the mark of a broken picture.
      onError={() => setSize({ width: 0, height: 0 })}
      className={classNames("max-h-[70vh] max-w-full rounded-md border", !size && "invisible")}
    />
  );
}
