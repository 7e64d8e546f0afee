"use client";

import { useRouter } from "next/navigation";
import * as z from "zod/mini";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { useHolds } from "@/components/shell/held-permissions";
import { TextField } from "@/components/ui/fields/text-field";
import { Form } from "@/components/ui/form/form";
import { ReadOnlyNotice } from "@/components/ui/form/read-only-notice";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { TextLink } from "@/components/ui/links/text-link";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import { paths } from "@/lib/console/paths";
import type { OrganizationSettings } from "@/lib/contract/operations/projects/organization";
import { displayName } from "@/lib/contract/schema";
import { renameOrganization } from "./actions";

const schema = z.strictObject({ name: displayName });
const labels = { name: "Name" };

/** The settings of the organization. */
export function OrganizationScreen({ canChange }: { canChange: boolean }) {
  return (
    <ReadState
      read={useRead("retrieveOrganization")}
      to="see the organization"
      skeleton={<FormSkeleton fields={2} />}
    >
      {(organization) => <OrganizationForm organization={organization} canChange={canChange} />}
    </ReadState>
  );
}

type OrganizationFormProps = { organization: OrganizationSettings; canChange: boolean };

function OrganizationForm({ organization, canChange }: OrganizationFormProps) {
  const router = useRouter();
  const seesPayments = useHolds("api.ledger.read");
  const form = useEditForm(schema, toValues(organization));
  const { changed: _, ...saving } = useSaveChanges(form, {
    saved: organization,
    action: renameOrganization,
    refetch: ["retrieveOrganization"],
    names: ["name"],
    toInput: ({ name = "" }, { version }) => ({ name, version }),
    toValues,
    // The shell also shows the name.
    onSaved: () => router.refresh(),
  });
  return (
    <Form
      form={form}
      name="organization"
      what="the organization"
      isEdit
      labels={labels}
      className="grid max-w-[560px] gap-5"
      onSubmit={saving.save}
    >
      {!canChange && <ReadOnlyNotice what="the organization" permission="api.organization.write" />}
      <TextField
        control={form.control}
        name="name"
        label={labels.name}
        apiName="name"
        maxLength={100}
        disabled={!canChange}
        help="Invitations, mails and statements call it so: “Join Acme Robotics”."
      />
      <dl className="grid gap-1">
        <dt className="font-medium">Currency</dt>
        <dd>{organization.currency}</dd>
        <dd className="text-sm text-muted">All amounts are in it. It can’t be changed.</dd>
      </dl>
      {seesPayments && (
        <p className="text-sm text-muted">
          Who approves payments, and above which amount, is set under{" "}
          <TextLink href={paths.payments()} className="underline">
            Billing › Payments
          </TextLink>
          .
        </p>
      )}
      <SaveFooter saving={saving} labels={labels} nothing="No name" canUndo canWrite={canChange} />
    </Form>
  );
}

function toValues({ name }: OrganizationSettings) {
  return { name };
}
