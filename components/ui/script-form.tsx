import type { ComponentProps } from "react";

type ScriptFormProps = Omit<ComponentProps<"form">, "action" | "method" | "noValidate">;

/**
 * A form that is sent by the page's script alone. Before that has loaded, a browser would send other forms by itself
 * and write what was typed into the address. It sends none with this method; the script of `early-presses.ts` holds
 * them until then.
 */
export function ScriptForm(props: ScriptFormProps) {
  return <form {...props} method="dialog" noValidate />;
}
