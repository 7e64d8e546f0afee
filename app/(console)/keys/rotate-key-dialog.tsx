"use client";

import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { SelectField } from "@/components/ui/fields/select-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { DAY_S, HOUR_S } from "@/lib/contract/durations";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { CreatedKey } from "./created-key";
import { rotateKey } from "./key-actions";

const overlaps = [
  { value: "0", label: "None: revoke it immediately" },
  { value: String(HOUR_S), label: "One hour" },
  { value: String(DAY_S), label: "One day" },
  { value: String(7 * DAY_S), label: "7 days" },
  { value: String(30 * DAY_S), label: "30 days" },
] as const;
const rotation = z.strictObject({ overlap: z.string() });

type RotateKeyDialogProps = {
  projectId: string;
  target: ProjectApiKey;
  baseUrl: string;
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

/** Creates a key with the same name, role and scope, shows it once, and keeps the old key valid for a while. */
export function RotateKeyDialog({ projectId, target, baseUrl, formName, close }: RotateKeyDialogProps) {
  const form = useNewForm(rotation, { overlap: String(DAY_S) });
  const rotate = useCreate(rotateKey, {
    refetch: ["listProjectApiKeys"],
    onError: ({ problem }) => showProblem(form, [], problem),
  });
  if (rotate.data) return <CreatedKey created={rotate.data} baseUrl={baseUrl} close={close} />;
  return (
    <FormDialog
      form={form}
      name={formName}
      what="the rotation"
      labels={{ overlap: "The old key still works for" }}
      title={`Rotate the key “${target.name}”`}
      description="A new key with the same name, role and limits is shown once, after this."
      submit="Rotate key"
      pending={rotate.isPending}
      close={close}
      onSubmit={({ overlap }) =>
        rotate.mutate({ projectId, keyId: target.id, overlapSeconds: Number(overlap) })
      }
    >
      <SelectField
        control={form.control}
        name="overlap"
        label="The old key still works for"
        apiName="overlap_seconds"
        options={overlaps}
        help="Both keys work until then. Move every program to the new key in that time."
      />
    </FormDialog>
  );
}
