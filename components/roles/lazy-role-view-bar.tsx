"use client";

import { loadOnClient } from "@/components/ui/dialog/load-on-client";

/** The bar of a view as a role, which few have: others don't load it. Nothing moves when it comes. */
export const LazyRoleViewBar = loadOnClient(
  () => import("./role-view-bar").then((file) => file.RoleViewBar),
  () => {},
  <div className="sticky top-0 z-30 h-11 bg-accent print:hidden" />,
);
