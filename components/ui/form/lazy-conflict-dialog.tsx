"use client";

import { loadOnClient } from "../dialog/load-on-client";

/** Loaded on demand, since stale saves are rare. */
export const ConflictDialog = loadOnClient(
  () => import("./conflict-dialog").then((file) => file.ConflictDialog),
  ({ onClose }) => onClose(),
);
