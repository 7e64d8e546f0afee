"use client";

import dynamic from "next/dynamic";

/** Loaded on demand, since stale saves are rare. */
export const ConflictDialog = dynamic(() => import("./conflict-dialog").then((file) => file.ConflictDialog), {
  ssr: false,
});
