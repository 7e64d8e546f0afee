"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { nameCrumb } from "./crumb-labels";

/** Gives the object of this page its name in the breadcrumb, where the address has only its id. Shows nothing itself. */
export function PageCrumb({ label }: { label: string }) {
  const pathname = usePathname();
  useEffect(() => nameCrumb(pathname, label), [pathname, label]);
  return null;
}
