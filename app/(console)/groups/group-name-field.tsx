import type { Control } from "react-hook-form";
import { TextField } from "@/components/ui/fields/text-field";
import type { GroupDraft } from "@/lib/contract/operations/people/groups";

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
