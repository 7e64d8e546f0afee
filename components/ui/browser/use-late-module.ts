"use client";

import { useEffect, useState } from "react";
import { toastNotLoaded } from "../dialog/load-on-client";

/**
 * Code that its screen needs only once it is used, loaded as soon as the screen can be; null until then. `load` is
 * outside of the component: `const loadParser = () => import("./parse-payments")`.
 */
export function useLateModule<Module>(load: () => Promise<Module>): Module | null {
  const [module, setModule] = useState<Module | null>(null);
  useEffect(() => {
    let isShown = true;
    load().then(
      (loaded) => isShown && setModule(() => loaded),
      (error: unknown) => {
        reportError(error);
        if (isShown) toastNotLoaded();
      },
    );
    return () => {
      isShown = false;
    };
  }, [load]);
  return module;
}
