"use client";

import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { findKey } from "./actions";
import { FoundKey } from "./found-key";

/** A whole key, anywhere in the pasted text. */
const KEY = /gk_(?:live|admin)_[0-9A-Za-z]{49}/;
const search = z.strictObject({
  value: z.string().check(
    z.refine((text) => KEY.test(text), {
      message: "must contain a complete key: gk_live_ or gk_admin_ followed by 49 characters",
    }),
  ),
});

/** Asks for a key that was found somewhere, and says who owns it. Doesn't store the pasted text. */
export function FindKeyDialog({ close }: { close: () => void }) {
  const form = useNewForm(search, { value: "" });
  const find = useAction(findKey, { onError: ({ problem }) => showProblem(form, ["value"], problem) });
  return (
    <FormDialog
      form={form}
      name="find-key"
      what="the pasted key"
      isGuarded={false}
      labels={{ value: "Key" }}
      title="Find a key"
      description="Paste a key that was found in a log, a chat or a repository to see who owns it and revoke it. It is sent only to the gateway and not stored."
      submit="Find key"
      pending={find.isPending}
      close={close}
      onSubmit={({ value }) => find.mutate({ value: KEY.exec(value)?.[0] ?? value })}
    >
      <TextField
        control={form.control}
        name="value"
        label="Key"
        type="password"
        autoComplete="off"
        mono
        help="The whole key. The text around it may be pasted too."
      />
      {find.data && <FoundKey found={find.data} close={close} />}
    </FormDialog>
  );
}
