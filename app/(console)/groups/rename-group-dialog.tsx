"use client";

import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { type Group, groupDraft } from "@/lib/contract/operations/people/groups";
import { renameGroup } from "./actions";
import { GroupNameField } from "./group-name-field";

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
