"use client";

import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { useIsHydrated } from "../browser/use-is-hydrated";
import { toast } from "./toast";

const NOT_LOADED =
  "This part of the console could not be loaded. Check your connection and try again. If the console was updated meanwhile, reload the page.";

/**
 * Returns a component whose code the browser loads when it is first shown, such as a dialog; the server renders none of
 * it. `next/dynamic` weighs 2.7 KB more. Code that can't be loaded closes the dialog and says why, where `React.lazy`
 * would replace the whole screen until it is loaded anew.
 *
 * @param close Closes a dialog whose props have no `close`, so that the same button opens it again.
 */
export function loadOnClient<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  close: (props: Props) => void = callClose,
): ComponentType<Props> {
  let code: ComponentType<Props> | null = null;
  return function LoadedOnClient(props: Props) {
    const isHydrated = useIsHydrated();
    const [Loaded, setLoaded] = useState(() => code);
    const giveUp = useEffectEvent(() => {
      toast({ tone: "bad", message: NOT_LOADED });
      close(props);
    });
    useEffect(() => {
      if (Loaded) return;
      let isShown = true;
      const show = async () => {
        try {
          code = await load();
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
    return isHydrated && Loaded ? <Loaded {...props} /> : null;
  };
}

function callClose(props: object): void {
  if ("close" in props && typeof props.close === "function") props.close();
}
