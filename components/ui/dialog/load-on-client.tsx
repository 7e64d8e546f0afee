"use client";

import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useIsHydrated } from "@/components/ui/browser/use-is-painted";
import { toast } from "./toast";

const NOT_LOADED =
  "This part of the console could not be loaded. Check your connection and try again. If the console was updated meanwhile, reload the page.";

/** Says that a part of the console is missing. */
export function toastNotLoaded(): void {
  toast({ tone: "bad", message: NOT_LOADED });
}

/**
 * Returns a component whose code the browser loads when it is first shown, such as a dialog, or earlier by `preload`;
 * the server renders none of it. `next/dynamic` weighs 2.7 KB more. Code that can't be loaded closes the dialog and
 * says why, where `React.lazy` would replace the whole screen.
 *
 * @param close Closes a dialog whose props have no `close`, so that the same button opens it again.
 * @param waiting Stands in its place until it is there, also on the server.
 */
export function loadOnClient<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  close: (props: Props) => void = callClose,
  waiting: ReactNode = null,
): ComponentType<Props> & { preload: () => void } {
  let code: ComponentType<Props> | null = null;
  const keep = async () => {
    code = await load();
  };
  function LoadedOnClient(props: Props) {
    const isHydrated = useIsHydrated();
    const [Loaded, setLoaded] = useState(() => code);
    const giveUp = useEffectEvent(() => {
      toastNotLoaded();
      close(props);
    });
    useEffect(() => {
      if (Loaded) return;
      let isShown = true;
      const show = async () => {
        try {
          await keep();
          if (isShown) setLoaded(() => code);
        } catch (error) {
          reportError(error);
          if (isShown) giveUp();
        }
      };
      void show();
      return () => {
        isShown = false;
      };
    }, [Loaded]);
    return isHydrated && Loaded ? <Loaded {...props} /> : waiting;
  }
  // A failure is told when it is shown.
  return Object.assign(LoadedOnClient, { preload: () => void keep().catch(() => {}) });
}

function callClose(props: object): void {
  if ("close" in props && typeof props.close === "function") props.close();
}
