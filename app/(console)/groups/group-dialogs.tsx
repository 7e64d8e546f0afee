"use client";

import { useRouter } from "next/navigation";
import type { Control } from "react-hook-form";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { fetchRead } from "@/components/queries/reads/fetch-read";
import { readsShowingRoles } from "@/components/roles/principal";
import { useMemberSuggestions } from "@/components/roles/use-member-suggestions";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm, useNewForm } from "@/components/ui/form/use-schema-form";
import { paths } from "@/lib/console/paths";
import type { GroupDraft } from "@/lib/contract/operations/people/groups";
import { type Group, groupDraft } from "@/lib/contract/operations/people/groups";
import { emailAddress } from "@/lib/contract/schema";
import { addGroupMember, createGroup, renameGroup } from "./actions";

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

export function CreateGroup({ close }: { close: () => void }) {
  const router = useRouter();
  const form = useNewForm(groupDraft, { name: "" });
  const create = useCreate(createGroup, {
    refetch: ["listGroups"],
    onSuccess: ({ id, name }) => {
      form.reset({ name: "" });
      toast({ message: `Group “${name}” created` });
      close();
      router.push(paths.group(id));
    },
    onError: ({ problem }) => showProblem(form, ["name"], problem),
  });
  return (
    <FormDialog
      form={form}
      name="new-group"
      what="the new group"
      labels={{ name: "Name" }}
      title="Create group"
      description="Its members and roles are chosen next."
      submit="Create group"
      pending={create.isPending}
      close={close}
      onSubmit={(draft) => create.mutate(draft)}
    >
      <GroupNameField control={form.control} />
    </FormDialog>
  );
}

export function RenameGroupDialog({ group, close }: { group: Group; close: () => void }) {
  const form = useEditForm(groupDraft, toGroupName(group));
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: group,
    action: renameGroup,
    refetch: ["retrieveGroup", "listGroups", "listRoleHolders", "listProjectGroups"],
    names: ["name"],
    toInput: ({ name = "" }, { version }) => ({ groupId: group.id, body: { name }, version }),
    toValues: toGroupName,
    onSaved: ({ name }) => {
      toast({ message: `Group renamed to “${name}”` });
      close();
    },
  });
  return (
    <FormDialog
      form={form}
      name="rename-group"
      what={`the group “${group.name}”`}
      isEdit
      labels={{ name: "Name" }}
      title={`Rename the group “${group.name}”`}
      description="Its members and roles stay as they are."
      submit="Rename group"
      pending={pending}
      close={close}
      onSubmit={(values) => (changed.length > 0 ? save(values) : close())}
    >
      <GroupNameField control={form.control} />
      {conflict && <ConflictDialog {...conflict} labels={{ name: "Name of the group" }} nothing="No name" />}
    </FormDialog>
  );
}

function toGroupName({ name }: Group) {
  return { name };
}

export function GroupNameField({ control }: { control: Control<GroupDraft> }) {
  return (
    <TextField
      control={control}
      name="name"
      label="Name"
      apiName="name"
      maxLength={100}
      help="Unique in the organization, such as “Data science”."
    />
  );
}
