"use client";

import { useRouter } from "next/navigation";
import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { membersRead } from "@/components/roles/member-reads";
import { readsShowingRoles } from "@/components/roles/principal";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import type { GroupUser } from "@/lib/contract/operations/people/group-users";
import type { Group } from "@/lib/contract/operations/people/groups";
import { emailAddress } from "@/lib/contract/schema";
import { addGroupMember } from "./actions";

const addition = z.strictObject({ email: emailAddress });

type AddGroupMemberProps = { group: Group; present: readonly GroupUser[]; close: () => void };

export function AddGroupMember({ group, present, close }: AddGroupMemberProps) {
  const router = useRouter();
  const members = useRead(...membersRead);
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
    // If the person submits before the list has loaded, wait for it.
    const read = members.data ? members : await members.refetch({ cancelRefetch: false });
    const member = read.data?.data.find((one) => one.email.toLowerCase() === email.toLowerCase());
    if (member) return add.mutate({ groupId: group.id, userId: member.id });
    const message = read.data
      ? "No member has this address. Invite new members under Members."
      : "The members could not be read. Try again.";
    form.setError("email", { message }, { shouldFocus: true });
  }
  const left = (members.data?.data ?? []).filter(({ id }) => present.every((one) => one.id !== id));
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
        suggestions={left.map(({ email, name }) => ({ value: email, label: name }))}
        help="The address of a member of the organization."
      />
    </FormDialog>
  );
}
