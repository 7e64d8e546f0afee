"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { nameCrumb } from "./crumb-labels";

/** Sets the object's name in the breadcrumb, since the address has only its id. Renders nothing. */
export function PageCrumb({ label }: { label: string }) {
  const pathname = usePathname();
  useEffect(() => nameCrumb(pathname, label), [pathname, label]);
  return null;
}
