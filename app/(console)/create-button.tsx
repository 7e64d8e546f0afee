import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";

/** The primary action of a list: `noun` is what one more of is made. */
export function CreateButton({ noun, onClick }: { noun: string; onClick: () => void }) {
  return (
    <Button variant="primary" onClick={onClick}>
      <Plus aria-hidden />
      Create {noun}
    </Button>
  );
}
