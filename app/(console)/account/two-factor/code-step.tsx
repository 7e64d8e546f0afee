"use client";

import "@/components/ui/fields/install-plain-messages";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/fields/text-field";
import { Form } from "@/components/ui/form/form";
import { type AppCode, appCode } from "@/lib/contract/operations/sign-in/two-factor";
import { confirmTwoFactor } from "../actions";

/** Apps show the digits in two groups, so people type or paste them with a space. */
const typedCode = z.strictObject({
  code: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.replaceAll(/\s/g, "")),
    ),
    appCode.shape.code,
  ),
});

type CodeStepProps = { back: () => void; onTurnedOn: () => void };

export function CodeStep({ back, onTurnedOn }: CodeStepProps) {
  const form = useForm<AppCode>({
    resolver: standardSchemaResolver(typedCode),
    defaultValues: { code: "" },
  });
  const confirm = useAction(confirmTwoFactor, {
    refetch: ["retrieveSignInSettings", "listSessions"],
    onError: ({ problem }) => showProblem(form, ["code"], problem),
  });
  return (
    <Form
      form={form}
      name="two-factor-code"
      what="the code"
      isGuarded={false}
      labels={{ code: "Code" }}
      className="grid gap-5"
      onSubmit={(values) => confirm.mutate(values, { onSuccess: onTurnedOn })}
    >
      <TextField
        control={form.control}
        name="code"
        label="Code"
        mono
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        help="Six digits that change every 30 seconds."
      />
      <div className="flex justify-end gap-2">
        <Button onClick={back}>Back</Button>
        <Button type="submit" variant="primary" pending={confirm.isPending}>
          Turn on
        </Button>
      </div>
    </Form>
  );
}
