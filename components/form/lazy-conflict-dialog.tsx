"use client";

import dynamic from "next/dynamic";

/** Rarely needed: loaded when a save is stale. */
export const ConflictDialog = dynamic(() => import("./conflict-dialog").then((file) => file.ConflictDialog), {
  ssr: false,
});
