"use client";

import { useRouter } from "next/navigation";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { paths } from "@/lib/console/paths";
import { groupDraft } from "@/lib/contract/operations/people/groups";
import { createGroup } from "./actions";
import { GroupNameField } from "./group-name-field";

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
