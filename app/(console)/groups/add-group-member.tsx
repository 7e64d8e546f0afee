"use client";

import { useRouter } from "next/navigation";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { fetchRead } from "@/components/queries/reads/fetch-read";
import { readsShowingRoles } from "@/components/roles/principal";
import { useMemberSuggestions } from "@/components/roles/use-member-suggestions";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import type { Group } from "@/lib/contract/operations/people/groups";
import { emailAddress } from "@/lib/contract/schema";
import { addGroupMember } from "./actions";

const addition = z.strictObject({ email: emailAddress });

type AddGroupMemberProps = { group: Group; close: () => void };

export function AddGroupMember({ group, close }: AddGroupMemberProps) {
  const router = useRouter();
  const form = useNewForm(addition, { email: "" });
  const add = useCreate(addGroupMember, {
    refetch: ["listGroupUsers", ...readsShowingRoles],
    onSuccess: () => {
      toast({ message: `Added to “${group.name}”` });
      router.refresh();
      close();
    },
    onError: ({ problem }) => showProblem(form, ["email"], problem),
  });
  async function send(email: string) {
    const found = await fetchRead("listUsers", { emails: email }, new AbortController().signal).catch(
      () => null,
    );
    const member = found?.data[0];
    if (member) return add.mutate({ groupId: group.id, userId: member.id });
    const message = found
      ? "No member has this address. Invite new members under Members."
      : "The members could not be read. Try again.";
    form.setError("email", { message }, { shouldFocus: true });
  }
  const suggestions = useMemberSuggestions(useWatch({ control: form.control, name: "email" }), true);
  return (
    <FormDialog
      form={form}
      name="add-group-member"
      what="the new member"
      labels={{ email: "Email" }}
      title={`Add a member to “${group.name}”`}
      description="They get the group’s roles immediately, also in open sessions."
      submit="Add member"
      pending={add.isPending || form.formState.isSubmitting}
      close={close}
      onSubmit={({ email }) => send(email)}
    >
      <TextField
        control={form.control}
        name="email"
        label="Email"
        type="email"
        maxLength={254}
        suggestions={suggestions}
        help="The address of a member of the organization."
      />
    </FormDialog>
  );
}
