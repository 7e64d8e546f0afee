"use client";

import type { ComponentProps } from "react";
import { useIsHydrated } from "./browser/use-is-painted";

type ScriptFormProps = Omit<ComponentProps<"form">, "action" | "method" | "noValidate">;

/**
 * A form that is sent by the page's script alone. Before that has loaded, a browser would send other forms by itself
 * and write what was typed into the address. It sends none with this method; the script of `early-presses.ts` holds
 * them until then, and until the effects have run that fill the form with what was saved and typed.
 */
export function ScriptForm(props: ScriptFormProps) {
  const isHydrated = useIsHydrated();
  return <form {...props} data-taking-over={!isHydrated || undefined} method="dialog" noValidate />;
}
