"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { nameCrumb } from "./crumb-labels";

/**
 * Sets the object's name in the breadcrumb, since the address has only its id. Renders nothing.
 * @param of the address of the object, where the page is one below it.
 */
export function PageCrumb({ label, of }: { label: string; of?: string }) {
  const shown = usePathname();
  const pathname = of ?? shown;
  useEffect(() => nameCrumb(pathname, label), [pathname, label]);
  return null;
}
